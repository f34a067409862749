// SPDX-License-Identifier: GPL-2.0
/*
 * The subnet's multicast groups and their members.
 * Serves MCMemberRecord requests (IBA 15.2.5.17), which sa.c parses.
 */
#include "softhca.h"

static uint group_mtu;
module_param(group_mtu, uint, 0644);
MODULE_PARM_DESC(group_mtu, "MTU of new multicast groups (0: that of the port)");

static ushort deny_pkeys[16];
static int ndeny;
module_param_array(deny_pkeys, ushort, &ndeny, 0644);
MODULE_PARM_DESC(deny_pkeys, "partitions whose multicast joins the subnet administrator refuses");

struct sh_member {
	struct list_head node;
	struct sh_port *port;
	u8 state;
};

struct sh_group {
	struct list_head node, members;
	union ib_gid mgid;
	u32 qkey;
	u16 mlid, pkey;
	u8 mtu, rate, plt, tclass, sl, hop;
	u32 flow;
};

static LIST_HEAD(sh_groups);
static DEFINE_MUTEX(sh_sa_lock);
static u16 sh_next_mlid = 0xc000;

static struct sh_group *grp_find(const void *mgid)
{
	struct sh_group *g;

	list_for_each_entry (g, &sh_groups, node)
		if (!memcmp(&g->mgid, mgid, 16))
			return g;
	return NULL;
}

static struct sh_member *mem_find(struct sh_group *g, struct sh_port *p)
{
	struct sh_member *m;

	list_for_each_entry (m, &g->members, node)
		if (m->port == p)
			return m;
	return NULL;
}

static void grp_reap(struct sh_group *g)
{
	if (list_empty(&g->members)) {
		list_del(&g->node);
		kfree(g);
	}
}

bool sh_mcgroup_receives(struct sh_port *port, const union ib_gid *mgid)
{
	struct sh_group *g;
	struct sh_member *m;
	bool r = false;

	mutex_lock(&sh_sa_lock);
	g = grp_find(mgid);
	if (g) {
		m = mem_find(g, port);
		r = m && (m->state & 3); /* full or non member: receives */
	}
	mutex_unlock(&sh_sa_lock);
	return r;
}

void sh_mcgroup_leave(struct sh_port *port)
{
	struct sh_group *g, *t;
	struct sh_member *m;

	mutex_lock(&sh_sa_lock);
	list_for_each_entry_safe (g, t, &sh_groups, node) {
		m = mem_find(g, port);
		if (m) {
			list_del(&m->node);
			kfree(m);
			grp_reap(g);
		}
	}
	mutex_unlock(&sh_sa_lock);
}

void sh_mcgroup_exit(void)
{
	struct sh_group *g, *t;

	list_for_each_entry_safe (g, t, &sh_groups, node) {
		list_del(&g->node);
		kfree(g);
	}
}

static bool denied(u16 pkey)
{
	int i;

	for (i = 0; i < ndeny; i++)
		if (((deny_pkeys[i] ^ pkey) & 0x7fff) == 0)
			return true;
	return false;
}

static void mcm_fill(struct sh_wire_mcm *w, struct sh_group *g, u8 state)
{
	w->qkey = cpu_to_be32(g->qkey);
	w->mlid = cpu_to_be16(g->mlid);
	w->mtu = IB_SA_EQ << 6 | g->mtu;
	w->tclass = g->tclass;
	w->pkey = cpu_to_be16(g->pkey);
	w->rate = IB_SA_EQ << 6 | g->rate;
	w->plt = IB_SA_EQ << 6 | g->plt;
	w->sl_flow_hop = cpu_to_be32((u32)g->sl << 28 | g->flow << 8 | g->hop);
	w->scope_join = (w->mgid[1] & 0xf) << 4 | state;
}

__be16 sh_mcgroup_request(struct sh_port *from, u8 method, ib_sa_comp_mask mask, struct sh_wire_mcm *w)
{
	u8 want = w->scope_join & 0xf;
	struct sh_member *m;
	struct sh_group *g;
	__be16 st = 0;

	mutex_lock(&sh_sa_lock);
	g = grp_find(w->mgid);
	m = g ? mem_find(g, from) : NULL;
	switch (method) {
	case IB_MGMT_METHOD_SET:
		if (w->mgid[0] != 0xff || !want) {
			st = SH_SA_INVALID;
			break;
		}
		if (denied(be16_to_cpu(w->pkey)) || (!g && !(want & 1) && want != 8)) {
			st = SH_SA_INVALID;
			break;
		}
		if (!g) {
			u16 pkey = mask & IB_SA_MCMEMBER_REC_PKEY ? be16_to_cpu(w->pkey) : 0xffff;

			g = kzalloc(sizeof(*g), GFP_KERNEL);
			if (!g) {
				st = SH_SA_NO_RESOURCES;
				break;
			}
			INIT_LIST_HEAD(&g->members);
			memcpy(&g->mgid, w->mgid, 16);
			g->mlid = sh_next_mlid++;
			g->pkey = pkey | 0x8000;
			g->qkey = mask & IB_SA_MCMEMBER_REC_QKEY ? be32_to_cpu(w->qkey) : 0x0b1b;
			g->mtu = group_mtu ? ib_mtu_int_to_enum(group_mtu) : from->active_mtu;
			if (mask & IB_SA_MCMEMBER_REC_MTU)
				g->mtu = min_t(u8, g->mtu, w->mtu & 0x3f);
			g->rate = mask & IB_SA_MCMEMBER_REC_RATE ? w->rate & 0x3f : IB_RATE_10_GBPS;
			g->plt = 18;
			g->sl = 0;
			list_add(&g->node, &sh_groups);
		}
		if (!m) {
			m = kzalloc(sizeof(*m), GFP_KERNEL);
			if (!m) {
				grp_reap(g);
				st = SH_SA_NO_RESOURCES;
				break;
			}
			m->port = from;
			list_add(&m->node, &g->members);
		}
		m->state |= want;
		mcm_fill(w, g, m->state);
		break;
	case IB_SA_METHOD_DELETE:
		if (!m || !(m->state & want)) {
			st = SH_SA_INVALID;
			break;
		}
		mcm_fill(w, g, m->state & want);
		m->state &= ~want;
		if (!m->state) {
			list_del(&m->node);
			kfree(m);
			grp_reap(g);
		}
		break;
	case IB_MGMT_METHOD_GET:
		if (!g) {
			st = SH_SA_NO_RECORDS;
			break;
		}
		mcm_fill(w, g, m ? m->state : 0);
		break;
	default:
		st = SH_SA_UNSUPPORTED;
	}
	mutex_unlock(&sh_sa_lock);
	return st;
}
