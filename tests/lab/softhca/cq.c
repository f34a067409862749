// SPDX-License-Identifier: GPL-2.0
/*
 * Completion queues: rings of work completions.
 * Serves create_cq, poll_cq, req_notify_cq.
 */
#include "softhca.h"

int sh_create_cq(struct ib_cq *ib, const struct ib_cq_init_attr *a, struct sh_cq_udata *u)
{
	struct sh_cq *cq = to_cq(ib);

	if (u)
		return -EOPNOTSUPP;
	if (!a->cqe || a->cqe > 65536)
		return -EINVAL;
	cq->size = a->cqe + 1;
	spin_lock_init(&cq->lock);
	cq->ring = kvcalloc(cq->size, sizeof(*cq->ring), GFP_KERNEL);
	if (!cq->ring)
		return -ENOMEM;
	ib->cqe = a->cqe;
	return 0;
}

int sh_destroy_cq(struct ib_cq *ib, struct ib_udata *u)
{
	kvfree(to_cq(ib)->ring);
	return 0;
}

int sh_poll_cq(struct ib_cq *ib, int n, struct ib_wc *wc)
{
	struct sh_cq *cq = to_cq(ib);
	unsigned long fl;
	int i;

	spin_lock_irqsave(&cq->lock, fl);
	for (i = 0; i < n && cq->count; i++) {
		wc[i] = cq->ring[cq->head];
		cq->head = (cq->head + 1) % cq->size;
		cq->count--;
	}
	spin_unlock_irqrestore(&cq->lock, fl);
	return i;
}

int sh_req_notify(struct ib_cq *ib, enum ib_cq_notify_flags f)
{
	struct sh_cq *cq = to_cq(ib);
	unsigned long fl;
	int r = 0;

	spin_lock_irqsave(&cq->lock, fl);
	if (cq->notify != IB_CQ_NEXT_COMP)
		cq->notify = f & IB_CQ_SOLICITED_MASK;
	if ((f & IB_CQ_REPORT_MISSED_EVENTS) && cq->count)
		r = 1;
	spin_unlock_irqrestore(&cq->lock, fl);
	return r;
}

/* Process context only (workers, modify_qp) */
void sh_cq_push(struct sh_cq *cq, const struct ib_wc *wc, bool solicited)
{
	unsigned long fl;
	bool fire = false;

	spin_lock_irqsave(&cq->lock, fl);
	if (cq->count == cq->size) {
		pr_err_ratelimited("softhca: CQ overrun\n");
	} else {
		cq->ring[(cq->head + cq->count) % cq->size] = *wc;
		cq->count++;
	}
	if (cq->notify == IB_CQ_NEXT_COMP || (cq->notify == IB_CQ_SOLICITED && (solicited || wc->status))) {
		cq->notify = 0;
		fire = true;
	}
	spin_unlock_irqrestore(&cq->lock, fl);
	if (fire && cq->ib.comp_handler) {
		local_bh_disable(); /* a NAPI poll that the handler schedules then runs at once */
		cq->ib.comp_handler(&cq->ib, cq->ib.cq_context);
		local_bh_enable();
	}
}

void sh_cq_purge(struct sh_cq *cq, struct sh_qp *qp)
{
	u32 i, n = 0;
	unsigned long fl;

	spin_lock_irqsave(&cq->lock, fl);
	for (i = 0; i < cq->count; i++) {
		struct ib_wc *wc = &cq->ring[(cq->head + i) % cq->size];

		if (wc->qp == &qp->ib)
			continue;
		if (i != n)
			cq->ring[(cq->head + n) % cq->size] = *wc;
		n++;
	}
	cq->count = n;
	spin_unlock_irqrestore(&cq->lock, fl);
}
