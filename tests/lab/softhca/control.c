// SPDX-License-Identifier: GPL-2.0
/*
 * Changes the fabric while it runs: a test writes one line to /sys/module/softhca/parameters/cmd,
 * "COMMAND HCA PORT ARGUMENT...". README.md lists the commands.
 * Serves the module parameter "cmd"; each change is followed by the event a real HCA would raise.
 */
#include "softhca.h"

static int cmd_state(struct sh_port *p, const char *arg, const char *more)
{
	static const char *const states[] = { "nop", "down", "init", "armed", "active" };
	int state = match_string(states, ARRAY_SIZE(states), arg);

	if (state < IB_PORT_DOWN)
		return -EINVAL;
	if (p->eth) {
		sh_eth_carrier(p, state == IB_PORT_ACTIVE);
		return 0;
	}
	if (p->state == IB_PORT_ACTIVE && state != IB_PORT_ACTIVE)
		sh_mcgroup_leave(p);
	p->state = state;
	sh_link_changed(p);
	return state == IB_PORT_ACTIVE ? IB_EVENT_PORT_ACTIVE : IB_EVENT_PORT_ERR;
}

static int cmd_event(struct sh_port *p, const char *arg, const char *more)
{
	if (!strcmp(arg, "rereg")) {
		sh_mcgroup_leave(p);
		return IB_EVENT_CLIENT_REREGISTER;
	}
	if (!strcmp(arg, "sm"))
		return IB_EVENT_SM_CHANGE;
	if (!strcmp(arg, "gid"))
		return IB_EVENT_GID_CHANGE;
	return -EINVAL;
}

static int cmd_lid(struct sh_port *p, const char *arg, const char *more)
{
	int r = kstrtou16(arg, 0, &p->lid);

	return r ? r : IB_EVENT_LID_CHANGE;
}

static int cmd_smlid(struct sh_port *p, const char *arg, const char *more)
{
	int r = kstrtou16(arg, 0, &p->sm_lid);

	return r ? r : IB_EVENT_SM_CHANGE;
}

static int cmd_mtu(struct sh_port *p, const char *arg, const char *more)
{
	unsigned int mtu;
	int r = kstrtouint(arg, 0, &mtu);

	if (r || mtu < 256 || mtu > ib_mtu_enum_to_int(p->max_mtu) || !is_power_of_2(mtu))
		return -EINVAL;
	p->active_mtu = ib_mtu_int_to_enum(mtu);
	return IB_EVENT_CLIENT_REREGISTER;
}

static int cmd_pkey(struct sh_port *p, const char *arg, const char *more)
{
	unsigned int index;
	u16 pkey;

	if (kstrtouint(arg, 0, &index) || index >= p->pkey_len || kstrtou16(more, 0, &pkey))
		return -EINVAL;
	p->pkey[index] = pkey;
	return IB_EVENT_PKEY_CHANGE;
}

static int cmd_guid(struct sh_port *p, const char *arg, const char *more)
{
	unsigned int index;
	u64 guid;

	if (kstrtouint(arg, 0, &index) || index >= SH_MAX_GID || kstrtou64(more, 0, &guid))
		return -EINVAL;
	p->gid_id[index] = guid;
	return IB_EVENT_GID_CHANGE;
}

static int cmd_prefix(struct sh_port *p, const char *arg, const char *more)
{
	int r = kstrtou64(arg, 0, &p->prefix);

	return r ? r : IB_EVENT_GID_CHANGE;
}

/* Lanes and, as in LinkSpeedActive, speed: 1 SDR, 2 DDR, 4 QDR. The switch supports 4X QDR. */
static int cmd_link(struct sh_port *p, const char *arg, const char *more)
{
	u8 lanes, speed;

	if (kstrtou8(arg, 0, &lanes) || (lanes != 1 && lanes != 4) || kstrtou8(more, 0, &speed) ||
	    (speed != 1 && speed != 2 && speed != 4))
		return -EINVAL;
	p->info.link_width_active = lanes == 1 ? IB_WIDTH_1X : IB_WIDTH_4X;
	p->info.linkspeedactive_enabled = speed << 4 | (p->info.linkspeedactive_enabled & 0xf);
	return 0;
}

/* The most that the port enables, in the same words. */
static int cmd_enable(struct sh_port *p, const char *arg, const char *more)
{
	u8 lanes, speed;

	if (kstrtou8(arg, 0, &lanes) || (lanes != 1 && lanes != 4) || kstrtou8(more, 0, &speed) || speed > 4)
		return -EINVAL;
	p->info.link_width_enabled = lanes == 1 ? IB_WIDTH_1X : IB_WIDTH_1X | IB_WIDTH_4X;
	p->info.linkspeedactive_enabled = (p->info.linkspeedactive_enabled & 0xf0) | (speed * 2 - 1);
	return 0;
}

static int cmd_errors(struct sh_port *p, const char *arg, const char *more)
{
	static const char *const counters[] = { "symbol", "recovery", "downed", "receive" };
	int counter = match_string(counters, ARRAY_SIZE(counters), arg);

	return counter < 0 ? -EINVAL : kstrtou16(more, 0, &p->errors[counter]);
}

static int cmd_connected(struct sh_port *p, const char *arg, const char *more)
{
	if (!strcmp(arg, "refuse"))
		return sh_refusal_set(p, true);
	if (!strcmp(arg, "allow"))
		return sh_refusal_set(p, false);
	return -EINVAL;
}

/* Each function returns the event to raise, 0 for none, or a negative errno. */
static const struct {
	const char *name;
	int (*run)(struct sh_port *p, const char *arg, const char *more);
} commands[] = {
	{ "state", cmd_state }, { "event", cmd_event },	  { "lid", cmd_lid },
	{ "smlid", cmd_smlid }, { "mtu", cmd_mtu },	  { "pkey", cmd_pkey },
	{ "guid", cmd_guid },	{ "prefix", cmd_prefix }, { "connected", cmd_connected },
	{ "link", cmd_link },	{ "enable", cmd_enable }, { "errors", cmd_errors },
};

static int cmd_set(const char *line, const struct kernel_param *kp)
{
	char op[16], hca[64], arg[32], more[32] = "";
	struct sh_dev *d;
	struct sh_port *p = NULL;
	unsigned int port;
	int i, r = -EINVAL;

	if (sscanf(line, "%15s %63s %u %31s %31s", op, hca, &port, arg, more) < 4)
		return -EINVAL;
	mutex_lock(&sh_devs_lock);
	d = sh_dev_by_name(hca);
	if (d && port && port <= d->nports)
		p = &d->port[port - 1];
	for (i = 0; p && i < ARRAY_SIZE(commands); i++)
		if (!strcmp(op, commands[i].name))
			r = commands[i].run(p, arg, more);
	mutex_unlock(&sh_devs_lock);
	if (!p)
		return -ENODEV;
	if (r > 0)
		sh_port_event(p, r);
	return min(r, 0);
}

static const struct kernel_param_ops cmd_ops = { .set = cmd_set };
module_param_cb(cmd, &cmd_ops, NULL, 0200);
MODULE_PARM_DESC(cmd, "COMMAND HCA PORT ARGUMENT...: change a running port");
