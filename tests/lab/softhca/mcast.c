// SPDX-License-Identifier: GPL-2.0
/*
 * Multicast: the queue pairs of each group, and the copies to each of them.
 * Serves attach_mcast and detach_mcast.
 */
#include "softhca.h"

struct sh_mc {
	struct list_head node;
	struct sh_qp *qp;
	union ib_gid gid;
	u16 lid;
};

static LIST_HEAD(sh_mcs); /* under sh_qp_lock */

int sh_attach(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	struct sh_mc *m = kzalloc(sizeof(*m), GFP_KERNEL);
	unsigned long fl;

	if (!m)
		return -ENOMEM;
	m->qp = to_qp(ib);
	m->gid = *gid;
	m->lid = lid;
	write_lock_irqsave(&sh_qp_lock, fl);
	list_add(&m->node, &sh_mcs);
	write_unlock_irqrestore(&sh_qp_lock, fl);
	return 0;
}

int sh_detach(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	struct sh_mc *m, *found = NULL;
	unsigned long fl;

	write_lock_irqsave(&sh_qp_lock, fl);
	list_for_each_entry (m, &sh_mcs, node)
		if (m->qp == to_qp(ib) && !memcmp(&m->gid, gid, sizeof(*gid))) {
			list_del(&m->node);
			found = m;
			break;
		}
	write_unlock_irqrestore(&sh_qp_lock, fl);
	kfree(found);
	return found ? 0 : -EINVAL;
}

/* caller holds sh_qp_lock */
void sh_mcast_forget(struct sh_qp *qp)
{
	struct sh_mc *m, *t;

	list_for_each_entry_safe (m, t, &sh_mcs, node)
		if (m->qp == qp) {
			list_del(&m->node);
			kfree(m);
		}
}

/* The built-in subnet administrator has a list of members; a real one has written them into the switch. A
 * packet to a queue pair of the same port does not pass the switch. */
static bool receives(struct sh_port *dst, struct sh_port *from, const struct sh_pkt *p)
{
	if (sh_sm_builtin())
		return sh_mcgroup_receives(dst, &p->grh.dgid);
	return dst == from || sh_switch_floods(p->dlid, dst);
}

void sh_multicast(struct sh_qp *from, struct sh_port *port, const struct sh_pkt *p)
{
	struct sh_mc *m;
	unsigned long fl;
	int i, n = 0;

	read_lock_irqsave(&sh_qp_lock, fl);
	list_for_each_entry (m, &sh_mcs, node) {
		if (memcmp(&m->gid, &p->grh.dgid, 16) || n == SH_FAN)
			continue;
		if (m->qp == from && (from->init.create_flags & IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK))
			continue;
		kref_get(&m->qp->ref);
		from->fan[n++] = m->qp;
	}
	read_unlock_irqrestore(&sh_qp_lock, fl);
	for (i = 0; i < n; i++) {
		struct sh_port *dst = from->fan[i]->port;

		if (dst && dst->state == IB_PORT_ACTIVE && receives(dst, port, p))
			sh_deliver(dst, from->fan[i], p);
		sh_qp_put(from->fan[i]);
	}
}
