// SPDX-License-Identifier: GPL-2.0
/*
 * The wire: delivers a packet to its queue pairs, if ports, P_Key and Q_Key allow it.
 * Serves the senders (ud.c, netdev.c) and the subnet administrator (sa.c).
 */
#include "softhca.h"

/* Delivers one datagram to one UD or MAD queue pair. Process context. */
int sh_deliver(struct sh_port *dst, struct sh_qp *qp, const struct sh_pkt *p)
{
	struct sh_rwqe e;
	struct sh_cursor c;
	struct ib_wc wc = {};
	u16 pidx = 0;
	static const u8 nogrh[SH_GRH];

	if (qp->state != IB_QPS_RTR && qp->state != IB_QPS_RTS)
		goto drop;
	if (qp->ib.qp_type == IB_QPT_RC)
		goto drop;
	if (qp->ib.qp_type == IB_QPT_UD) {
		pidx = qp->attr.pkey_index;
		if (pidx >= dst->pkey_len || !sh_pkey_match(dst->pkey[pidx], p->pkey))
			goto drop;
		if (p->qkey != qp->attr.qkey)
			goto drop;
	} else if (qp->ib.qp_type == IB_QPT_GSI && !sh_port_has_pkey(dst, p->pkey, &pidx)) {
		goto drop;
	}
	if (qp->rx) { /* the port's own netdev ("enhanced" IPoIB) */
		atomic64_inc(&dst->rx_pkts);
		atomic64_add(p->len, &dst->rx_bytes);
		qp->rx(qp, p);
		return 0;
	}
	if (!sh_rq_pop(qp->ib.srq ? &to_srq(qp->ib.srq)->rq : &qp->rq, &e))
		goto drop;
	wc.wr_id = e.wr_id;
	wc.opcode = IB_WC_RECV;
	wc.qp = &qp->ib;
	wc.src_qp = p->sqpn;
	wc.slid = p->slid;
	wc.sl = p->sl;
	wc.pkey_index = pidx;
	wc.port_num = dst->num;
	wc.byte_len = p->len + SH_GRH;
	if (p->has_grh)
		wc.wc_flags |= IB_WC_GRH;
	if (p->csum_ok)
		wc.wc_flags |= IB_WC_IP_CSUM_OK;
	if (p->has_imm) {
		wc.wc_flags |= IB_WC_WITH_IMM;
		wc.ex.imm_data = p->imm;
	}
	c = (struct sh_cursor){ e.sge, e.num_sge, 0 };
	if (sh_scatter(&c, p->has_grh ? (u8 *)&p->grh : nogrh, SH_GRH) != SH_GRH ||
	    sh_scatter(&c, p->data, p->len) != p->len)
		wc.status = IB_WC_LOC_LEN_ERR;
	atomic64_inc(&dst->rx_pkts);
	atomic64_add(p->len, &dst->rx_bytes);
	sh_cq_push(to_cq(qp->ib.recv_cq), &wc, p->solicited);
	return 0;
drop:
	atomic64_inc(&dst->rx_drop);
	return -EAGAIN;
}

void sh_wire(struct sh_qp *qp, struct sh_port *port, struct sh_pkt *p)
{
	struct sh_port *dst;
	struct sh_qp *dqp;

	atomic64_inc(&port->tx_pkts);
	atomic64_add(p->len, &port->tx_bytes);
	if (!p->dqpn) { /* subnet management packets pass in every state of a link */
		sh_smp_wire(port, p);
		return;
	}
	if (port->state != IB_PORT_ACTIVE)
		return; /* dropped */
	if (p->dlid >= 0xc000 && p->dlid != 0xffff) {
		sh_multicast(qp, port, p);
		return;
	}
	if (p->dqpn == 1 && sh_switch_has_lid(p->dlid)) {
		if (sh_sm_builtin())
			sh_sa_receive(port, p);
		sh_switch_pma(port, p);
		return;
	}
	dst = sh_route(port, p->dlid);
	if (!dst || dst->state != IB_PORT_ACTIVE)
		return;
	dqp = sh_qp_find(dst, p->dqpn);
	if (!dqp)
		return;
	sh_deliver(dst, dqp, p);
	sh_qp_put(dqp);
}
