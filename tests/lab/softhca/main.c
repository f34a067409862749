// SPDX-License-Identifier: GPL-2.0
/*
 * softhca: software InfiniBand HCAs and their subnet, for testing without hardware.
 * Serves module load and unload; all other files work for the PCI functions of pci.c.
 */
#include "softhca.h"

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Software InfiniBand HCAs and subnet, for testing without hardware");

struct workqueue_struct *sh_wq;

static int __init sh_init(void)
{
	int r = sh_hca_check();

	if (!r)
		r = sh_port_check();
	if (!r)
		r = sh_switch_check();
	if (!r)
		r = sh_eth_check();
	if (r)
		return r;
	sh_wq = alloc_workqueue("softhca", WQ_HIGHPRI, 0);
	if (!sh_wq)
		return -ENOMEM;
	sh_qp_init();
	r = sh_pci_init();
	if (r)
		destroy_workqueue(sh_wq);
	return r;
}

static void __exit sh_exit(void)
{
	sh_pci_exit();
	sh_refusal_exit();
	sh_mcgroup_exit();
	sh_switch_exit();
	destroy_workqueue(sh_wq);
}

module_init(sh_init);
module_exit(sh_exit);
