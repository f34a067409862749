// SPDX-License-Identifier: GPL-2.0
/*
 * Queue pairs: numbers, states, creation and destruction.
 * Serves create_qp, modify_qp, query_qp, destroy_qp, post_recv.
 */
#include "softhca.h"

static uint qpn_base;
module_param(qpn_base, uint, 0444);
MODULE_PARM_DESC(qpn_base, "first queue pair number (0: random)");

DEFINE_RWLOCK(sh_qp_lock);
static DEFINE_XARRAY(sh_qps);
static u32 sh_next_qpn;

void sh_qp_init(void)
{
	sh_next_qpn = qpn_base ? qpn_base : 0x100 + (get_random_u32() & 0xfff00);
}

static void sh_qp_release(struct kref *k)
{
	complete(&container_of(k, struct sh_qp, ref)->gone);
}

void sh_qp_put(struct sh_qp *qp)
{
	kref_put(&qp->ref, sh_qp_release);
}

struct sh_qp *sh_qp_find(struct sh_port *port, u32 qpn)
{
	struct sh_qp *qp;
	unsigned long fl;

	read_lock_irqsave(&sh_qp_lock, fl);
	if (qpn < 2) {
		qp = port->sqp[qpn];
	} else {
		qp = xa_load(&sh_qps, qpn);
		if (qp && qp->port != port)
			qp = NULL;
	}
	if (qp)
		kref_get(&qp->ref);
	read_unlock_irqrestore(&sh_qp_lock, fl);
	return qp;
}

/* Gives the queue pair a free number, and makes it findable by the number. */
static int sh_qp_number(struct sh_qp *qp)
{
	unsigned long fl;
	int r;

	write_lock_irqsave(&sh_qp_lock, fl);
	do
		qp->ib.qp_num = sh_next_qpn++ & 0xffffff;
	while (qp->ib.qp_num < 0x40 || qp->ib.qp_num == 0xffffff || xa_load(&sh_qps, qp->ib.qp_num));
	r = xa_err(xa_store(&sh_qps, qp->ib.qp_num, qp, GFP_ATOMIC));
	write_unlock_irqrestore(&sh_qp_lock, fl);
	return r;
}

/* QP0 or QP1 of a port */
static int sh_qp_special(struct sh_qp *qp, u32 port, int number)
{
	unsigned long fl;
	int r = 0;

	if (!port || port > qp->dev->nports)
		return -EINVAL;
	qp->port = &qp->dev->port[port - 1];
	qp->ib.qp_num = number;
	write_lock_irqsave(&sh_qp_lock, fl);
	if (qp->port->sqp[number])
		r = -EBUSY;
	else
		qp->port->sqp[number] = qp;
	write_unlock_irqrestore(&sh_qp_lock, fl);
	return r;
}

/* Removes the queue pair from the table and from all groups, and waits for its users. */
static void sh_qp_forget(struct sh_qp *qp)
{
	unsigned long fl;

	write_lock_irqsave(&sh_qp_lock, fl);
	if (qp->ib.qp_num < 2)
		qp->port->sqp[qp->ib.qp_num] = NULL;
	else
		xa_erase(&sh_qps, qp->ib.qp_num);
	sh_mcast_forget(qp);
	write_unlock_irqrestore(&sh_qp_lock, fl);
	sh_qp_put(qp);
	wait_for_completion(&qp->gone);
}

int sh_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *a, struct ib_udata *u)
{
	struct sh_qp *qp = to_qp(ib);
	struct sh_dev *d = to_dev(ib->device);
	int r;

	if (u)
		return -EOPNOTSUPP;
	if (a->qp_type != IB_QPT_SMI && a->qp_type != IB_QPT_GSI && a->qp_type != IB_QPT_UD &&
	    a->qp_type != IB_QPT_RC)
		return -EOPNOTSUPP;
	if (a->create_flags &
	    ~(IB_QP_CREATE_IPOIB_UD_LSO | IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK | IB_QP_CREATE_NETIF_QP))
		return -EOPNOTSUPP;
	if (a->cap.max_send_sge > SH_MAX_SGE || a->cap.max_recv_sge > SH_MAX_SGE ||
	    a->cap.max_send_wr > 16384 || a->cap.max_recv_wr > 16384)
		return -EINVAL;
	kref_init(&qp->ref);
	init_completion(&qp->gone);
	spin_lock_init(&qp->sq_lock);
	INIT_DELAYED_WORK(&qp->work, sh_send_work);
	qp->dev = d;
	qp->init = *a;
	qp->state = IB_QPS_RESET;
	qp->sq_size = max(a->cap.max_send_wr, 1u);
	qp->sq = kvcalloc(qp->sq_size, sizeof(*qp->sq), GFP_KERNEL);
	qp->buf = kvmalloc(SH_UD_MAX + 256, GFP_KERNEL);
	r = sh_rq_init(&qp->rq, a->srq ? 0 : a->cap.max_recv_wr);
	if (!qp->sq || !qp->buf || r)
		goto nomem;

	if (a->qp_type == IB_QPT_SMI || a->qp_type == IB_QPT_GSI)
		r = sh_qp_special(qp, a->port_num, a->qp_type == IB_QPT_GSI);
	else
		r = sh_qp_number(qp);
	if (r)
		goto fail;
	return 0;
nomem:
	r = -ENOMEM;
fail:
	kvfree(qp->sq);
	kvfree(qp->buf);
	kvfree(qp->rq.ring);
	return r;
}

int sh_destroy_qp(struct ib_qp *ib, struct ib_udata *u)
{
	struct sh_qp *qp = to_qp(ib);

	sh_qp_forget(qp);
	cancel_delayed_work_sync(&qp->work);
	if (ib->send_cq)
		sh_cq_purge(to_cq(ib->send_cq), qp);
	if (ib->recv_cq)
		sh_cq_purge(to_cq(ib->recv_cq), qp);
	kvfree(qp->sq);
	kvfree(qp->buf);
	kvfree(qp->rq.ring);
	return 0;
}

int sh_modify_qp(struct ib_qp *ib, struct ib_qp_attr *a, int mask, struct ib_udata *u)
{
	struct sh_qp *qp = to_qp(ib);
	unsigned long fl;

	if (mask & IB_QP_PORT) {
		if (!a->port_num || a->port_num > qp->dev->nports)
			return -EINVAL;
		qp->port = &qp->dev->port[a->port_num - 1];
		qp->attr.port_num = a->port_num;
	}
	if (mask & IB_QP_PKEY_INDEX) {
		if (a->pkey_index >= SH_MAX_PKEY)
			return -EINVAL;
		qp->attr.pkey_index = a->pkey_index;
	}
	if (mask & IB_QP_QKEY)
		qp->attr.qkey = a->qkey;
	if (mask & IB_QP_AV)
		qp->attr.ah_attr = a->ah_attr;
	if (mask & IB_QP_DEST_QPN)
		qp->attr.dest_qp_num = a->dest_qp_num;
	if (mask & IB_QP_PATH_MTU)
		qp->attr.path_mtu = a->path_mtu;
	if (mask & IB_QP_RNR_RETRY)
		qp->attr.rnr_retry = a->rnr_retry;
	if (mask & IB_QP_RETRY_CNT)
		qp->attr.retry_cnt = a->retry_cnt;
	if (mask & IB_QP_TIMEOUT)
		qp->attr.timeout = a->timeout;
	if (mask & IB_QP_SQ_PSN)
		qp->attr.sq_psn = a->sq_psn;
	if (mask & IB_QP_RQ_PSN)
		qp->attr.rq_psn = a->rq_psn;
	if (mask & IB_QP_ACCESS_FLAGS)
		qp->attr.qp_access_flags = a->qp_access_flags;
	if (!(mask & IB_QP_STATE))
		return 0;

	spin_lock_irqsave(&qp->sq_lock, fl);
	qp->state = a->qp_state;
	spin_unlock_irqrestore(&qp->sq_lock, fl);
	if (a->qp_state == IB_QPS_RESET) {
		cancel_delayed_work_sync(&qp->work);
		spin_lock_irqsave(&qp->sq_lock, fl);
		qp->sq_count = 0;
		spin_unlock_irqrestore(&qp->sq_lock, fl);
		spin_lock_irqsave(&qp->rq.lock, fl);
		qp->rq.count = 0;
		spin_unlock_irqrestore(&qp->rq.lock, fl);
		qp->last_wqe_sent = false;
		if (ib->send_cq)
			sh_cq_purge(to_cq(ib->send_cq), qp);
		if (ib->recv_cq)
			sh_cq_purge(to_cq(ib->recv_cq), qp);
	} else {
		mod_delayed_work(sh_wq, &qp->work, 0);
	}
	return 0;
}

int sh_query_qp(struct ib_qp *ib, struct ib_qp_attr *a, int mask, struct ib_qp_init_attr *i)
{
	struct sh_qp *qp = to_qp(ib);

	*a = qp->attr;
	a->qp_state = a->cur_qp_state = qp->state;
	a->cap = qp->init.cap;
	*i = qp->init;
	return 0;
}

int sh_post_recv(struct ib_qp *ib, const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	struct sh_qp *qp = to_qp(ib);
	int r;

	if (qp->state == IB_QPS_RESET || ib->srq) {
		if (bad)
			*bad = wr;
		return -EINVAL;
	}
	r = sh_rq_post(&qp->rq, wr, bad);
	if (qp->state == IB_QPS_ERR)
		mod_delayed_work(sh_wq, &qp->work, 0);
	return r;
}

/* Queue pairs without verbs, for the enhanced IPoIB netdev. */
int sh_raw_qp_add(struct sh_qp *qp)
{
	qp->buf = kvmalloc(SH_UD_MAX + 256, GFP_KERNEL);
	if (!qp->buf)
		return -ENOMEM;
	kref_init(&qp->ref);
	init_completion(&qp->gone);
	qp->ib.qp_type = IB_QPT_UD;
	qp->init.create_flags = IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK;
	return sh_qp_number(qp);
}

void sh_raw_qp_del(struct sh_qp *qp)
{
	sh_qp_forget(qp);
	kvfree(qp->buf);
}
