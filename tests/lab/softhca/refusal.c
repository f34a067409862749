// SPDX-License-Identifier: GPL-2.0
/*
 * A driver that refuses connected mode although the address promises it. The stock ib_ipoib never does this,
 * so a kprobe diverts calls of its ipoib_set_mode(), from the mode file and from rtnetlink, for some ports.
 * x86_64 only: a probe at the entry of a function finds the arguments in registers and the return address on
 * top of the stack, so that another function can replace it.
 */
#include <linux/kprobes.h>
#include <linux/netdevice.h>
#include "softhca.h"

/* Replaces ipoib_set_mode(). */
static int refuse(struct net_device *nd, const char *mode)
{
	return -EOPNOTSUPP;
}

static int enter(struct kprobe *probe, struct pt_regs *regs)
{
	const struct net_device *nd = (void *)regs_get_kernel_argument(regs, 0);
	const char *mode = (void *)regs_get_kernel_argument(regs, 1);
	const struct sh_port *port;
	union ib_gid gid;

	memcpy(&gid, nd->dev_addr + 4, sizeof(gid)); /* a child has the GID of its parent */
	port = sh_port_by_gid(&gid);
	if (!port || !READ_ONCE(port->refuses_connected) || strcmp(mode, "connected\n"))
		return 0;
	instruction_pointer_set(regs, (unsigned long)refuse);
	return 1;
}

/* A post handler keeps the kernel from replacing the probe by a jump: this probe changes the instruction
 * pointer. */
static void after(struct kprobe *probe, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probe;
static bool armed;

void sh_refusal_exit(void)
{
	if (armed)
		unregister_kprobe(&probe);
	armed = false;
}

/* A reload of ib_ipoib ends a probe, so each refusal registers a new one. Under sh_devs_lock. */
int sh_refusal_set(struct sh_port *p, bool refuses)
{
	int r = 0;

	if (refuses) {
		sh_refusal_exit();
		probe = (struct kprobe){
			.symbol_name = "ipoib_set_mode",
			.pre_handler = enter,
			.post_handler = after,
		};
		r = register_kprobe(&probe);
		armed = !r;
	}
	if (!r)
		WRITE_ONCE(p->refuses_connected, refuses);
	return r;
}
