// SPDX-License-Identifier: GPL-2.0
/*
 * Send queues: the poster queues work requests, and a worker sends them. So the completion handler of the
 * receiver never runs inside the call of the sender.
 * Serves post_send.
 */
#include "softhca.h"

int sh_post_send(struct ib_qp *ib, const struct ib_send_wr *wr, const struct ib_send_wr **bad)
{
	struct sh_qp *qp = to_qp(ib);
	unsigned long fl;
	int r = 0;

	spin_lock_irqsave(&qp->sq_lock, fl);
	for (; wr; wr = wr->next) {
		struct sh_swqe *e;

		if (qp->state < IB_QPS_RTS || wr->num_sge > SH_MAX_SGE) {
			r = -EINVAL;
			break;
		}
		if (wr->opcode != IB_WR_SEND && wr->opcode != IB_WR_SEND_WITH_IMM &&
		    wr->opcode != IB_WR_LSO) {
			r = -EOPNOTSUPP;
			break;
		}
		if (qp->sq_count == qp->sq_size) {
			r = -ENOMEM;
			break;
		}
		e = &qp->sq[(qp->sq_head + qp->sq_count) % qp->sq_size];
		e->wr_id = wr->wr_id;
		e->opcode = wr->opcode;
		e->flags = wr->send_flags;
		e->imm = wr->ex.imm_data;
		e->num_sge = wr->num_sge;
		memcpy(e->sge, wr->sg_list, wr->num_sge * sizeof(e->sge[0]));
		if (ib->qp_type != IB_QPT_RC) {
			const struct ib_ud_wr *ud = ud_wr(wr);

			e->ah = to_ah(ud->ah)->attr;
			e->rqpn = ud->remote_qpn;
			e->rqkey = ud->remote_qkey;
			e->pkey_index = ud->pkey_index;
			e->hdr = ud->header;
			e->hlen = ud->hlen;
			e->mss = ud->mss;
		}
		qp->sq_count++;
	}
	spin_unlock_irqrestore(&qp->sq_lock, fl);
	if (r && bad)
		*bad = wr;
	mod_delayed_work(sh_wq, &qp->work, 0);
	return r;
}

static void sh_flush_rq(struct sh_qp *qp)
{
	struct sh_rwqe r;
	struct ib_event ev = { .device = &qp->dev->ib, .element.qp = &qp->ib };

	if (!qp->ib.srq) {
		while (sh_rq_pop(&qp->rq, &r)) {
			struct ib_wc wc = { .wr_id = r.wr_id,
					    .status = IB_WC_WR_FLUSH_ERR,
					    .opcode = IB_WC_RECV,
					    .qp = &qp->ib };
			sh_cq_push(to_cq(qp->ib.recv_cq), &wc, false);
		}
	} else if (!qp->last_wqe_sent) {
		qp->last_wqe_sent = true;
		ev.event = IB_EVENT_QP_LAST_WQE_REACHED;
		if (qp->ib.event_handler)
			qp->ib.event_handler(&ev, qp->ib.qp_context);
	}
}

void sh_send_work(struct work_struct *w)
{
	struct sh_qp *qp = container_of(to_delayed_work(w), struct sh_qp, work);
	enum ib_wc_status st;
	unsigned long fl;
	int budget = 64;

	for (;;) {
		struct sh_swqe *e = NULL;
		enum ib_qp_state state;
		struct ib_wc wc = {};
		u32 sent = 0;
		bool sig;

		spin_lock_irqsave(&qp->sq_lock, fl);
		state = qp->state;
		if (qp->sq_count)
			e = &qp->sq[qp->sq_head];
		spin_unlock_irqrestore(&qp->sq_lock, fl);
		if (state == IB_QPS_ERR && !qp->last_wqe_sent)
			sh_flush_rq(qp);
		if (!e || state < IB_QPS_RTS)
			break;
		if (!budget--) {
			mod_delayed_work(sh_wq, &qp->work, 0);
			return;
		}
		if (state == IB_QPS_ERR)
			st = IB_WC_WR_FLUSH_ERR;
		else if (qp->ib.qp_type == IB_QPT_RC)
			st = sh_send_rc(qp, e, &sent);
		else
			st = sh_send_ud(qp, e, &sent);
		if (st == SH_AGAIN) {
			mod_delayed_work(sh_wq, &qp->work, 1);
			return;
		}
		wc.wr_id = e->wr_id;
		wc.status = st;
		wc.opcode = e->opcode == IB_WR_LSO ? IB_WC_LSO : IB_WC_SEND;
		wc.byte_len = sent;
		wc.qp = &qp->ib;
		sig = st || qp->init.sq_sig_type == IB_SIGNAL_ALL_WR || (e->flags & IB_SEND_SIGNALED);
		spin_lock_irqsave(&qp->sq_lock, fl);
		if (qp->sq_count) { /* the queue may have been reset meanwhile */
			qp->sq_head = (qp->sq_head + 1) % qp->sq_size;
			qp->sq_count--;
		} else {
			sig = false;
		}
		if (st && st != IB_WC_WR_FLUSH_ERR && qp->ib.qp_type == IB_QPT_RC)
			qp->state = IB_QPS_ERR;
		spin_unlock_irqrestore(&qp->sq_lock, fl);
		if (sig)
			sh_cq_push(to_cq(qp->ib.send_cq), &wc, false);
	}
}
