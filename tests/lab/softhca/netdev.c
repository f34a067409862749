// SPDX-License-Identifier: GPL-2.0
/*
 * An IPoIB netdev with a data path of its own ("enhanced IPoIB", as mlx5 has), without connected mode.
 * Serves rdma_netdev_get_params, by which ib_ipoib uses the netdev.
 */
#include <linux/netdevice.h>
#include <linux/if_infiniband.h>
#include <linux/tcp.h>
#include "softhca.h"

#define PSEUDO 20 /* ib_ipoib's link-layer address in front of the packet */
#define ENCAP 4

struct enh {
	struct rdma_netdev rn; /* must be first: ib_core and ib_ipoib cast to it */
	struct net_device *netdev;
	struct sh_dev *dev;
	struct sh_port *port;
	struct sh_qp *qp;
	spinlock_t lock;
	struct list_head txq;
	struct work_struct work;
};

struct enh_tx {
	struct list_head node;
	struct sk_buff *skb;
	struct rdma_ah_attr ah;
	u32 dqpn;
};

static void enh_rx(struct sh_qp *qp, const struct sh_pkt *p)
{
	struct enh *e = qp->rx_priv;
	struct net_device *nd = e->netdev;
	struct sk_buff *skb;

	if (p->len < ENCAP)
		return;
	skb = netdev_alloc_skb(nd, PSEUDO + p->len);
	if (!skb) {
		nd->stats.rx_dropped++;
		return;
	}
	skb_put_zero(skb, PSEUDO);
	skb_put_data(skb, p->data, p->len);
	skb_reset_mac_header(skb);
	skb->protocol = *(__be16 *)(skb->data + PSEUDO);
	skb_pull(skb, PSEUDO + ENCAP);
	if (!p->has_grh || p->grh.dgid.raw[0] != 0xff)
		skb->pkt_type = PACKET_HOST;
	else if (!memcmp(p->grh.dgid.raw, nd->broadcast + 4, 16))
		skb->pkt_type = PACKET_BROADCAST;
	else
		skb->pkt_type = PACKET_MULTICAST;
	if (p->csum_ok)
		skb->ip_summed = CHECKSUM_UNNECESSARY;
	nd->stats.rx_packets++;
	nd->stats.rx_bytes += skb->len;
	netif_rx(skb);
}

static void enh_one(struct enh *e, struct enh_tx *t)
{
	struct sh_port *port = e->port;
	struct sh_qp *qp = e->qp;
	struct sh_pkt p = {};

	if (qp->attr.pkey_index >= port->pkey_len || skb_linearize(t->skb) ||
	    (!skb_is_gso(t->skb) && (t->skb->len > ib_mtu_enum_to_int(port->active_mtu) ||
				     (t->skb->ip_summed == CHECKSUM_PARTIAL && skb_checksum_help(t->skb))))) {
		e->netdev->stats.tx_errors++;
		return;
	}
	p.pkey = port->pkey[qp->attr.pkey_index];
	p.slid = port->lid;
	p.dlid = rdma_ah_get_dlid(&t->ah);
	p.sqpn = qp->ib.qp_num;
	p.dqpn = t->dqpn;
	p.qkey = qp->attr.qkey;
	p.data = t->skb->data;
	p.len = t->skb->len;
	if (rdma_ah_get_ah_flags(&t->ah) & IB_AH_GRH) {
		p.has_grh = true;
		p.grh.version_tclass_flow = cpu_to_be32(6 << 28);
		p.grh.next_hdr = 0x1b;
		p.grh.dgid = t->ah.grh.dgid;
		p.grh.sgid.global.subnet_prefix = cpu_to_be64(port->prefix);
		p.grh.sgid.global.interface_id = cpu_to_be64(port->gid_id[0]);
		p.grh.paylen = cpu_to_be16(p.len);
	}
	e->netdev->stats.tx_packets++;
	e->netdev->stats.tx_bytes += p.len;
	if (skb_is_gso(t->skb)) {
		u32 hlen = skb_tcp_all_headers(t->skb);
		struct ib_sge sge = { (uintptr_t)t->skb->data + hlen, p.len - hlen, 0 };

		sh_segment(qp, port, &p, t->skb->data, hlen, &sge, p.len - hlen,
			   skb_shinfo(t->skb)->gso_size);
		return;
	}
	p.csum_ok = t->skb->ip_summed != CHECKSUM_NONE;
	sh_wire(qp, port, &p);
}

static void enh_work(struct work_struct *w)
{
	struct enh *e = container_of(w, struct enh, work);
	struct enh_tx *t;

	for (;;) {
		spin_lock_bh(&e->lock);
		t = list_first_entry_or_null(&e->txq, struct enh_tx, node);
		if (t)
			list_del(&t->node);
		spin_unlock_bh(&e->lock);
		if (!t)
			return;
		if (e->qp->state == IB_QPS_RTS)
			enh_one(e, t);
		dev_kfree_skb(t->skb);
		kfree(t);
	}
}

static int enh_send(struct net_device *nd, struct sk_buff *skb, struct ib_ah *ah, u32 dqpn)
{
	struct enh *e = netdev_priv(nd);
	struct enh_tx *t = kmalloc(sizeof(*t), GFP_ATOMIC);
	unsigned long fl;

	if (!t) {
		nd->stats.tx_dropped++;
		dev_kfree_skb_any(skb);
		return 0;
	}
	skb_orphan(skb);
	t->skb = skb;
	t->ah = container_of(ah, struct sh_ah, ib)->attr;
	t->dqpn = dqpn;
	spin_lock_irqsave(&e->lock, fl);
	list_add_tail(&t->node, &e->txq);
	spin_unlock_irqrestore(&e->lock, fl);
	queue_work(sh_wq, &e->work);
	return 0;
}

static int enh_attach(struct net_device *nd, struct ib_device *ib, union ib_gid *gid, u16 lid, int set,
		      u32 qkey)
{
	struct enh *e = netdev_priv(nd);

	if (set)
		e->qp->attr.qkey = qkey;
	return sh_attach(&e->qp->ib, gid, lid);
}

static int enh_detach(struct net_device *nd, struct ib_device *ib, union ib_gid *gid, u16 lid)
{
	struct enh *e = netdev_priv(nd);

	return sh_detach(&e->qp->ib, gid, lid);
}

static void enh_set_id(struct net_device *nd, int id)
{
	struct enh *e = netdev_priv(nd);

	if (e->qp)
		e->qp->attr.pkey_index = id;
}

static int enh_ndo_init(struct net_device *nd)
{
	struct enh *e = netdev_priv(nd);
	u8 q[3];
	int r;

	e->qp = kzalloc(sizeof(*e->qp), GFP_KERNEL);
	if (!e->qp)
		return -ENOMEM;
	e->qp->dev = e->dev;
	e->qp->port = e->port;
	e->qp->rx = enh_rx;
	e->qp->rx_priv = e;
	r = sh_raw_qp_add(e->qp);
	if (r) {
		kfree(e->qp);
		e->qp = NULL;
		return r;
	}
	q[0] = e->qp->ib.qp_num >> 16;
	q[1] = e->qp->ib.qp_num >> 8;
	q[2] = e->qp->ib.qp_num;
	dev_addr_mod(nd, 1, q, sizeof(q));
	return 0;
}

static void enh_ndo_uninit(struct net_device *nd)
{
	struct enh *e = netdev_priv(nd);

	if (!e->qp)
		return;
	e->qp->state = IB_QPS_RESET;
	cancel_work_sync(&e->work);
	enh_work(&e->work);
	sh_raw_qp_del(e->qp);
	kfree(e->qp);
	e->qp = NULL;
}

static int enh_ndo_open(struct net_device *nd)
{
	struct enh *e = netdev_priv(nd);

	e->qp->state = IB_QPS_RTS;
	return 0;
}

static int enh_ndo_stop(struct net_device *nd)
{
	struct enh *e = netdev_priv(nd);

	e->qp->state = IB_QPS_RESET;
	cancel_work_sync(&e->work);
	enh_work(&e->work);
	return 0;
}

static int enh_ndo_mtu(struct net_device *nd, int mtu)
{
	nd->mtu = mtu;
	return 0;
}

static const struct net_device_ops enh_ops = {
	.ndo_init = enh_ndo_init,
	.ndo_uninit = enh_ndo_uninit,
	.ndo_open = enh_ndo_open,
	.ndo_stop = enh_ndo_stop,
	.ndo_change_mtu = enh_ndo_mtu,
};

static int enh_setup(struct ib_device *ib, u32 port, struct net_device *nd, void *param)
{
	struct enh *e = netdev_priv(nd);

	e->netdev = nd;
	e->dev = param;
	e->port = &e->dev->port[port - 1];
	spin_lock_init(&e->lock);
	INIT_LIST_HEAD(&e->txq);
	INIT_WORK(&e->work, enh_work);
	e->rn.hca = ib;
	e->rn.port_num = port;
	e->rn.mtu = ib_mtu_enum_to_int(e->port->max_mtu);
	e->rn.send = enh_send;
	e->rn.attach_mcast = enh_attach;
	e->rn.detach_mcast = enh_detach;
	e->rn.set_id = enh_set_id;
	nd->netdev_ops = &enh_ops;
	return 0;
}

int sh_netdev_params(struct ib_device *ib, u32 port, enum rdma_netdev_t type,
		     struct rdma_netdev_alloc_params *params)
{
	struct sh_dev *d = container_of(ib, struct sh_dev, ib);

	if (type != RDMA_NETDEV_IPOIB || !d->enhanced)
		return -EOPNOTSUPP;
	*params = (struct rdma_netdev_alloc_params){
		.sizeof_priv = sizeof(struct enh),
		.txqs = 1,
		.rxqs = 1,
		.param = d,
		.initialize_rdma_netdev = enh_setup,
	};
	return 0;
}
