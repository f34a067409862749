// SPDX-License-Identifier: GPL-2.0
/*
 * Receive queues: those of queue pairs, and shared ones.
 * Serves create_srq, modify_srq, post_srq_recv.
 */
#include "softhca.h"

int sh_rq_init(struct sh_rq *rq, u32 size)
{
	spin_lock_init(&rq->lock);
	rq->size = size;
	if (!size)
		return 0;
	rq->ring = kvcalloc(size, sizeof(*rq->ring), GFP_KERNEL);
	return rq->ring ? 0 : -ENOMEM;
}

int sh_rq_post(struct sh_rq *rq, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	unsigned long fl;
	int r = 0;

	spin_lock_irqsave(&rq->lock, fl);
	for (; wr; wr = wr->next) {
		struct sh_rwqe *e;

		if (rq->count == rq->size || wr->num_sge > SH_MAX_SGE) {
			r = -ENOMEM;
			if (bad)
				*bad = wr;
			break;
		}
		e = &rq->ring[(rq->head + rq->count) % rq->size];
		e->wr_id = wr->wr_id;
		e->num_sge = wr->num_sge;
		memcpy(e->sge, wr->sg_list, wr->num_sge * sizeof(e->sge[0]));
		rq->count++;
	}
	spin_unlock_irqrestore(&rq->lock, fl);
	return r;
}

bool sh_rq_pop(struct sh_rq *rq, struct sh_rwqe *e)
{
	unsigned long fl;
	bool ok = false;

	spin_lock_irqsave(&rq->lock, fl);
	if (rq->count) {
		struct sh_rwqe *r = &rq->ring[rq->head];

		e->wr_id = r->wr_id;
		e->num_sge = r->num_sge;
		memcpy(e->sge, r->sge, r->num_sge * sizeof(e->sge[0]));
		rq->head = (rq->head + 1) % rq->size;
		rq->count--;
		ok = true;
	}
	spin_unlock_irqrestore(&rq->lock, fl);
	return ok;
}

int sh_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *a, struct ib_udata *u)
{
	if (u || a->srq_type != IB_SRQT_BASIC)
		return -EOPNOTSUPP;
	if (!a->attr.max_wr || a->attr.max_wr > 16384 || a->attr.max_sge > SH_MAX_SGE)
		return -EINVAL;
	return sh_rq_init(&to_srq(ib)->rq, a->attr.max_wr);
}

int sh_modify_srq(struct ib_srq *ib, struct ib_srq_attr *a, enum ib_srq_attr_mask m, struct ib_udata *u)
{
	if (m & IB_SRQ_MAX_WR)
		return -EOPNOTSUPP;
	if (m & IB_SRQ_LIMIT)
		to_srq(ib)->rq.limit = a->srq_limit;
	return 0;
}

int sh_query_srq(struct ib_srq *ib, struct ib_srq_attr *a)
{
	a->max_wr = to_srq(ib)->rq.size;
	a->max_sge = SH_MAX_SGE;
	a->srq_limit = to_srq(ib)->rq.limit;
	return 0;
}

int sh_destroy_srq(struct ib_srq *ib, struct ib_udata *u)
{
	kvfree(to_srq(ib)->rq.ring);
	return 0;
}

int sh_post_srq_recv(struct ib_srq *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	return sh_rq_post(&to_srq(ib)->rq, wr, bad);
}
