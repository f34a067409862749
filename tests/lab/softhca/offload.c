// SPDX-License-Identifier: GPL-2.0
/*
 * The offload engines of an HCA: checksums, and segmentation of large sends.
 * Serves the senders (ud.c, netdev.c).
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/ip.h>
#include <net/ip6_checksum.h>
#include "softhca.h"

/* Fill in the TCP/UDP checksum of the IPoIB packet at buf (4 bytes of encapsulation first) */
bool sh_csum(u8 *buf, u32 len)
{
	u8 *ip = buf + 4, *l4, proto;
	u32 l4len, iplen;
	__sum16 *ck;
	bool v6;

	if (len < 4 + 20)
		return false;
	v6 = *(__be16 *)buf == htons(ETH_P_IPV6);
	if (v6) {
		struct ipv6hdr *h = (void *)ip;

		if (len < 4 + 40)
			return false;
		proto = h->nexthdr;
		l4 = ip + 40;
		l4len = ntohs(h->payload_len);
		iplen = l4len + 40;
	} else if (*(__be16 *)buf == htons(ETH_P_IP)) {
		struct iphdr *h = (void *)ip;

		proto = h->protocol;
		l4 = ip + h->ihl * 4;
		iplen = ntohs(h->tot_len);
		l4len = iplen - h->ihl * 4;
		if (h->frag_off & htons(IP_MF | IP_OFFSET))
			return false;
	} else {
		return false;
	}
	if (iplen + 4 > len)
		return false;
	if (proto == IPPROTO_TCP && l4len >= 20)
		ck = &((struct tcphdr *)l4)->check;
	else if (proto == IPPROTO_UDP && l4len >= 8)
		ck = &((struct udphdr *)l4)->check;
	else
		return false;
	*ck = 0;
	if (v6)
		*ck = csum_ipv6_magic(&((struct ipv6hdr *)ip)->saddr, &((struct ipv6hdr *)ip)->daddr, l4len,
				      proto, csum_partial(l4, l4len, 0));
	else
		*ck = csum_tcpudp_magic(((struct iphdr *)ip)->saddr, ((struct iphdr *)ip)->daddr, l4len,
					proto, csum_partial(l4, l4len, 0));
	if (proto == IPPROTO_UDP && !*ck)
		*ck = CSUM_MANGLED_0;
	return true;
}

/* Large send: cut into segments of mss bytes, each with its own headers; qp->buf is the worker's */
int sh_segment(struct sh_qp *qp, struct sh_port *port, struct sh_pkt *p, const void *hdr, u32 hlen,
	       const struct ib_sge *sge, u32 len, u32 mss)
{
	u32 off = 0, seg = 0;

	if (!mss || hlen > 200 || hlen < 44 || hlen + mss > ib_mtu_enum_to_int(port->active_mtu))
		return -EINVAL;
	while (off < len) {
		u32 n = min(mss, len - off);
		u8 *ip = qp->buf + 4;
		struct tcphdr *th;

		memcpy(qp->buf, hdr, hlen);
		sh_gather(qp->buf + hlen, sge, off, n);
		if (*(__be16 *)qp->buf == htons(ETH_P_IP)) {
			struct iphdr *h = (void *)ip;

			h->tot_len = htons(hlen - 4 + n);
			h->id = htons(ntohs(h->id) + seg);
			h->check = 0;
			h->check = ip_fast_csum(h, h->ihl);
			th = (void *)(ip + h->ihl * 4);
		} else {
			struct ipv6hdr *h = (void *)ip;

			h->payload_len = htons(hlen - 44 + n);
			th = (void *)(ip + 40);
		}
		th->seq = htonl(ntohl(th->seq) + off);
		if (off + n < len)
			th->fin = th->psh = 0;
		if (seg)
			th->cwr = 0;
		p->csum_ok = sh_csum(qp->buf, hlen + n);
		p->data = qp->buf;
		p->len = hlen + n;
		p->grh.paylen = cpu_to_be16(p->len);
		sh_wire(qp, port, p);
		off += n;
		seg++;
	}
	return 0;
}
