// SPDX-License-Identifier: GPL-2.0
/*
 * The switch to which all ports are linked: the states of the links, and forwarding by directed route and by
 * LID. Serves wire.c, rc.c and mcast.c, and subnet managers.
 */
#include "switch.h"

static char *sm = "builtin";
module_param(sm, charp, 0444);
MODULE_PARM_DESC(sm, "builtin: ports are configured when they appear; none: a subnet manager has to do it");

struct sh_switch sh_sw;
static bool builtin = true;

bool sh_sm_builtin(void)
{
	return builtin;
}

bool sh_switch_has_lid(u16 lid)
{
	return lid && lid == sh_sw.lid;
}

int sh_switch_check(void)
{
	int i;

	builtin = !strcmp(sm, "builtin");
	if (!builtin && strcmp(sm, "none")) {
		pr_err("softhca: sm=%s: builtin or none\n", sm);
		return -EINVAL;
	}
	memset(sh_sw.lft, 0xff, sizeof(sh_sw.lft));
	sh_sw.pkey[0] = 0xffff;
	if (builtin)
		sh_sw.lid = sh_sw.sm_lid = SH_SM_LID;
	for (i = 0; i <= SH_SW_PORTS; i++) {
		sh_portinfo_init(&sh_sw.port[i].info, IB_MTU_4096);
		sh_sw.port[i].state = i ? IB_PORT_DOWN : IB_PORT_ACTIVE;
		sh_sw.port[i].mtu = IB_MTU_2048;
	}
	return 0;
}

/* Returns the switch port to which a port is connected. */
u16 sh_switch_port(const struct sh_port *p)
{
	return p->dev->index * SH_MAX_PORT + p->num;
}

/* Returns the port at the other end of the link, if there is a link. */
struct sh_port *sh_switch_peer(u32 port)
{
	struct sh_dev *d;
	struct sh_port *p;

	if (!port || port > SH_SW_PORTS)
		return NULL;
	d = READ_ONCE(sh_devs[(port - 1) / SH_MAX_PORT]);
	if (!d || (port - 1) % SH_MAX_PORT >= d->nports)
		return NULL;
	p = &d->port[(port - 1) % SH_MAX_PORT];
	return p->state == IB_PORT_DOWN ? NULL : p;
}

static bool has_lid(const struct sh_port *p, u16 lid)
{
	return p->lid && p->lid == (lid & ~((1 << (p->info.mkeyprot_resv_lmc & 7)) - 1));
}

/* Returns the port that receives a packet. A packet to the sender's own LID stays in its port. */
struct sh_port *sh_route(struct sh_port *from, u16 lid)
{
	struct sh_port *to;

	if (builtin)
		return sh_port_by_lid(lid);
	if (has_lid(from, lid))
		return from;
	to = lid < SH_SW_LFT && lid <= sh_sw.lft_top ? sh_switch_peer(sh_sw.lft[lid]) : NULL;
	return to && has_lid(to, lid) ? to : NULL;
}

bool sh_switch_floods(u16 mlid, const struct sh_port *to)
{
	u32 i = mlid - 0xc000;

	return i < SH_SW_MFT && sh_sw.mft[i] & BIT(sh_switch_port(to));
}

static void deliver(struct sh_port *to, struct ib_smp *s, u16 slid, u16 dlid)
{
	struct sh_pkt p = { .slid = slid, .dlid = dlid, .pkey = 0xffff, .data = (u8 *)s, .len = sizeof(*s) };
	struct sh_qp *qp = to ? sh_qp_find(to, 0) : NULL;

	if (!qp)
		return;
	sh_deliver(to, qp, &p);
	sh_qp_put(qp);
}

static void emit(u32 port, struct ib_smp *s)
{
	deliver(sh_switch_peer(port), s, be16_to_cpu(IB_LID_PERMISSIVE), be16_to_cpu(IB_LID_PERMISSIVE));
}

/* IBA 14.2.2: only routes that are directed all the way, without parts by LID at their ends. */
static void directed(struct ib_smp *s, u32 in)
{
	if (s->dr_slid != IB_LID_PERMISSIVE || s->dr_dlid != IB_LID_PERMISSIVE ||
	    s->hop_cnt >= IB_SMP_MAX_PATH_HOPS || !s->hop_ptr || s->hop_ptr > s->hop_cnt)
		return;
	if (ib_get_smp_direction(s)) { /* a reply */
		if (s->hop_ptr > 1)
			emit(s->return_path[--s->hop_ptr], s);
		return;
	}
	s->return_path[s->hop_ptr] = in;
	if (s->hop_ptr < s->hop_cnt) {
		emit(s->initial_path[++s->hop_ptr], s);
	} else if (sh_switch_sma(s, in)) {
		s->status |= IB_SMP_DIRECTION;
		emit(s->return_path[s->hop_ptr], s);
	}
}

/* A packet from a port's QP0. Process context. */
void sh_smp_wire(struct sh_port *from, const struct sh_pkt *p)
{
	u32 in = sh_switch_port(from);
	struct ib_smp *s;

	if (from->state == IB_PORT_DOWN || p->len != sizeof(*s))
		return;
	s = kmemdup(p->data, sizeof(*s), GFP_KERNEL);
	if (!s)
		return;
	if (s->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		directed(s, in);
	else if (!sh_switch_has_lid(p->dlid))
		deliver(sh_route(from, p->dlid), s, p->slid, p->dlid);
	else if (sh_switch_sma(s, in))
		deliver(from, s, sh_sw.lid, p->slid);
	kfree(s);
}

/* Sends trap 128 to the subnet manager: a link came up or went down (IBA 14.2.5.1). */
static void send_trap(struct work_struct *work)
{
	static u64 tid;
	struct ib_smp *s;
	struct sh_port *to =
		sh_sw.sm_lid && sh_sw.sm_lid < SH_SW_LFT ? sh_switch_peer(sh_sw.lft[sh_sw.sm_lid]) : NULL;

	s = to ? kzalloc(sizeof(*s), GFP_KERNEL) : NULL;
	if (!s)
		return;
	ib_init_query_mad(s);
	s->method = IB_MGMT_METHOD_TRAP;
	s->attr_id = IB_SMP_ATTR_NOTICE;
	s->tid = cpu_to_be64(++tid);
	s->data[0] = 0x80 | 1; /* generic, urgent */
	s->data[3] = 2;	       /* from a switch */
	s->data[5] = 128;
	*(__be16 *)&s->data[6] = *(__be16 *)&s->data[10] = cpu_to_be16(sh_sw.lid);
	deliver(to, s, sh_sw.lid, sh_sw.sm_lid);
	kfree(s);
}
static DECLARE_WORK(trap_work, send_trap);

void sh_switch_exit(void)
{
	cancel_work_sync(&trap_work);
}

/* A port appeared or disappeared, or its link is training: updates the switch's end. */
void sh_link_changed(struct sh_port *p)
{
	struct sh_sw_port *w = &sh_sw.port[sh_switch_port(p)];
	bool up = sh_switch_peer(sh_switch_port(p)) && !w->disabled;
	enum ib_port_state before = w->state;

	if (!up)
		w->state = IB_PORT_DOWN;
	else if (builtin)
		w->state = p->state;
	else if (before == IB_PORT_DOWN || p->state == IB_PORT_INIT)
		w->state = IB_PORT_INIT;
	if (w->state == before)
		return;
	sh_sw.changed = true;
	if (!builtin)
		queue_work(sh_wq, &trap_work);
}

/* Both ends of the link go through Down to Init. */
void sh_switch_retrain(u32 port)
{
	struct sh_port *p = sh_switch_peer(port);

	if (!p)
		return;
	if (p->state == IB_PORT_ACTIVE)
		sh_port_event(p, IB_EVENT_PORT_ERR);
	p->state = IB_PORT_INIT;
	sh_link_changed(p);
}

/* Sets PortPhysicalState to Disabled, or from Disabled to Polling. */
void sh_switch_enable(u32 port, bool on)
{
	struct sh_sw_port *w = &sh_sw.port[port];
	struct sh_dev *d = READ_ONCE(sh_devs[(port - 1) / SH_MAX_PORT]);
	struct sh_port *p;

	if (w->disabled == !on)
		return;
	w->disabled = !on;
	if (!d || (port - 1) % SH_MAX_PORT >= d->nports)
		return;
	p = &d->port[(port - 1) % SH_MAX_PORT];
	if (!on && p->state == IB_PORT_ACTIVE)
		sh_port_event(p, IB_EVENT_PORT_ERR);
	p->state = on ? IB_PORT_INIT : IB_PORT_DOWN;
	sh_link_changed(p);
}
