// SPDX-License-Identifier: GPL-2.0
/*
 * Reliable connections (connected mode). Serves the send queues of RC queue pairs: copies a message directly
 * into the receive buffers of the peer.
 */
#include "softhca.h"

enum ib_wc_status sh_send_rc(struct sh_qp *qp, struct sh_swqe *e, u32 *sent)
{
	struct sh_port *port = qp->port, *dst;
	u32 len = sh_sge_len(e->sge, e->num_sge);
	enum ib_wc_status st = IB_WC_SUCCESS;
	struct ib_wc wc = {};
	struct sh_rwqe r;
	struct sh_cursor c;
	struct sh_qp *d;
	int i;

	*sent = len;
	dst = port ? sh_route(port, rdma_ah_get_dlid(&qp->attr.ah_attr)) : NULL;
	if (!port || port->state != IB_PORT_ACTIVE || !dst || dst->state != IB_PORT_ACTIVE)
		goto retry;
	d = sh_qp_find(dst, qp->attr.dest_qp_num);
	if (!d)
		goto retry;
	if (d->ib.qp_type != IB_QPT_RC || (d->state != IB_QPS_RTR && d->state != IB_QPS_RTS) ||
	    d->attr.dest_qp_num != qp->ib.qp_num) {
		sh_qp_put(d);
		goto retry;
	}
	if (!sh_rq_pop(d->ib.srq ? &to_srq(d->ib.srq)->rq : &d->rq, &r)) {
		sh_qp_put(d);
		return SH_AGAIN; /* receiver not ready: retry, like rnr_retry 7 */
	}
	wc.wr_id = r.wr_id;
	wc.opcode = IB_WC_RECV;
	wc.qp = &d->ib;
	wc.src_qp = qp->ib.qp_num;
	wc.slid = port->lid;
	wc.byte_len = len;
	wc.port_num = dst->num;
	wc.pkey_index = d->attr.pkey_index;
	if (e->opcode == IB_WR_SEND_WITH_IMM) {
		wc.wc_flags |= IB_WC_WITH_IMM;
		wc.ex.imm_data = e->imm;
	}
	if (len > sh_sge_len(r.sge, r.num_sge)) {
		wc.status = IB_WC_LOC_LEN_ERR;
		st = IB_WC_REM_INV_REQ_ERR;
	} else {
		c = (struct sh_cursor){ r.sge, r.num_sge, 0 };
		for (i = 0; i < e->num_sge; i++)
			sh_scatter(&c, (void *)(uintptr_t)e->sge[i].addr, e->sge[i].length);
	}
	atomic64_inc(&port->tx_pkts);
	atomic64_add(len, &port->tx_bytes);
	atomic64_inc(&dst->rx_pkts);
	atomic64_add(len, &dst->rx_bytes);
	sh_cq_push(to_cq(d->ib.recv_cq), &wc, e->flags & IB_SEND_SOLICITED);
	sh_qp_put(d);
	qp->retries = 0;
	return st;
retry:
	if (++qp->retries < 200)
		return SH_AGAIN;
	qp->retries = 0;
	return IB_WC_RETRY_EXC_ERR;
}
