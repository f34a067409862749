// SPDX-License-Identifier: GPL-2.0
/*
 * Port counters of HCAs and of the switch (IBA 16.1), for perfquery.
 * Serves process_mad through smp.c, and wire.c.
 */
#include "switch.h"

/* The counters at one end of a link. */
struct counters {
	atomic64_t *tx_bytes, *rx_bytes, *tx_pkts, *rx_pkts;
	u16 *errors; /* of an HCA's port */
};

static u32 sat32(u64 v)
{
	return v > U32_MAX ? U32_MAX : v;
}

static __be32 read32(atomic64_t *counter, int unit)
{
	return cpu_to_be32(sat32(atomic64_read(counter) / unit));
}

static __be64 read64(atomic64_t *counter, int unit)
{
	return cpu_to_be64(atomic64_read(counter) / unit);
}

/* selected: bits in the order of CounterSelect */
static void clear(struct counters of, u16 selected)
{
	atomic64_t *const in_order[] = { of.tx_bytes, of.rx_bytes, of.tx_pkts, of.rx_pkts };
	int i;

	for (i = 0; i < ARRAY_SIZE(in_order); i++)
		if (selected & BIT(i))
			atomic64_set(in_order[i], 0);
}

static bool answer(struct counters of, struct ib_pma_mad *m)
{
	bool set = m->mad_hdr.method == IB_MGMT_METHOD_SET;
	struct ib_class_port_info *info = (void *)m->data;
	struct ib_pma_portcounters *c = (void *)m->data;
	struct ib_pma_portcounters_ext *x = (void *)m->data;
	u16 selected = be16_to_cpu(c->counter_select);
	u8 port = c->port_select;
	int i;

	if (!set && m->mad_hdr.method != IB_MGMT_METHOD_GET)
		return false;
	memset(m->data, 0, sizeof(m->data));
	switch (m->mad_hdr.attr_id) {
	case IB_PMA_CLASS_PORT_INFO:
		info->base_version = info->class_version = 1;
		info->capability_mask = IB_PMA_CLASS_CAP_EXT_WIDTH;
		break;
	case IB_PMA_PORT_COUNTERS:
		if (set)
			clear(of, selected >> 12);
		for (i = 0; set && of.errors && i < 4; i++)
			if (selected & BIT(i))
				of.errors[i] = 0;
		c->port_select = port;
		if (of.errors) {
			c->symbol_error_counter = cpu_to_be16(of.errors[0]);
			c->link_error_recovery_counter = min_t(u16, of.errors[1], U8_MAX);
			c->link_downed_counter = min_t(u16, of.errors[2], U8_MAX);
			c->port_rcv_errors = cpu_to_be16(of.errors[3]);
		}
		c->port_xmit_data = read32(of.tx_bytes, 4);
		c->port_rcv_data = read32(of.rx_bytes, 4);
		c->port_xmit_packets = read32(of.tx_pkts, 1);
		c->port_rcv_packets = read32(of.rx_pkts, 1);
		break;
	case IB_PMA_PORT_COUNTERS_EXT:
		if (set)
			clear(of, selected);
		x->port_select = port;
		x->port_xmit_data = read64(of.tx_bytes, 4);
		x->port_rcv_data = read64(of.rx_bytes, 4);
		x->port_xmit_packets = read64(of.tx_pkts, 1);
		x->port_rcv_packets = read64(of.rx_pkts, 1);
		break;
	default:
		m->mad_hdr.status = SH_SMP_UNSUPPORTED;
	}
	m->mad_hdr.method = IB_MGMT_METHOD_GET_RESP;
	return true;
}

/* n: the port that received the request; its counters also stand for "all ports". */
int sh_pma(struct sh_dev *d, u32 n, struct ib_pma_mad *m)
{
	u8 selected = ((struct ib_pma_portcounters *)m->data)->port_select;
	struct sh_port *p = &d->port[(selected && selected <= d->nports ? selected : n) - 1];

	if (!answer((struct counters){ &p->tx_bytes, &p->rx_bytes, &p->tx_pkts, &p->rx_pkts, p->errors }, m))
		return IB_MAD_RESULT_SUCCESS;
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}

/* Handles a packet for QP1 of the switch. The counters of a switch port are those of its peer, with send and
 * receive exchanged. Process context. */
void sh_switch_pma(struct sh_port *from, const struct sh_pkt *p)
{
	static atomic64_t none;
	struct counters of = { &none, &none, &none, &none };
	struct sh_pkt r = { .slid = p->dlid,
			    .dlid = p->slid,
			    .pkey = p->pkey,
			    .sqpn = 1,
			    .dqpn = 1,
			    .qkey = IB_QP1_QKEY,
			    .len = sizeof(struct ib_pma_mad) };
	struct ib_pma_mad *m;
	struct sh_port *peer;
	struct sh_qp *qp;

	if (p->len != sizeof(*m))
		return;
	m = kmemdup(p->data, sizeof(*m), GFP_KERNEL);
	if (!m)
		return;
	peer = sh_switch_peer(((struct ib_pma_portcounters *)m->data)->port_select);
	if (peer)
		of = (struct counters){ &peer->rx_bytes, &peer->tx_bytes, &peer->rx_pkts, &peer->tx_pkts };
	r.data = (u8 *)m;
	qp = sh_qp_find(from, 1);
	if (qp && m->mad_hdr.mgmt_class == IB_MGMT_CLASS_PERF_MGMT && answer(of, m))
		sh_deliver(from, qp, &r);
	if (qp)
		sh_qp_put(qp);
	kfree(m);
}
