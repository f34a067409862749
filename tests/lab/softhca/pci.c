// SPDX-License-Identifier: GPL-2.0
/*
 * A PCI root bus with one function for each HCA, and drivers with the names of real ones (mlx4_core,
 * mlx5_core, ...). Serves the PCI core: pci_create_root_bus(), pci_register_driver(). The configuration space
 * of the functions is in pcicfg.c.
 */
#include "softhca.h"

static char *driver[SH_MAX_HCA] = { "mlx4_core" };
static int ndriver = 1;
module_param_array(driver, charp, &ndriver, 0444);
MODULE_PARM_DESC(driver, "name of the PCI driver");

static bool vf_driver;
module_param(vf_driver, bool, 0444);
MODULE_PARM_DESC(vf_driver, "the driver of an HCA takes its virtual functions, too");

static int pci_domain = 1;
module_param(pci_domain, int, 0444);
MODULE_PARM_DESC(pci_domain, "PCI domain of the bus");

static int pci_busnr = 0x41;
module_param(pci_busnr, int, 0444);
MODULE_PARM_DESC(pci_busnr, "PCI bus number");

static struct pci_sysdata sd;
static struct pci_bus *root;
static struct resource busn;
static struct pci_driver drv[SH_MAX_HCA];
static struct pci_device_id ids[SH_MAX_HCA][2 * SH_MAX_HCA + 1];
static int ndrv;

static int probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	int r;

	if (pci_domain_nr(pdev->bus) != pci_domain || pdev->bus->number != pci_busnr)
		return -ENODEV; /* a real PCI function */
	r = pci_enable_device(pdev);
	if (r)
		return r;
	return pdev->is_virtfn ? sh_vf_add(pdev) : sh_dev_add(PCI_SLOT(pdev->devfn), pdev, NULL);
}

static void remove(struct pci_dev *pdev)
{
	struct sh_dev *d = pci_get_drvdata(pdev);

	pci_disable_sriov(pdev);
	if (d)
		sh_dev_del(d);
	pci_disable_device(pdev);
}

/* Adds HCA i to the driver of that name; registers the driver for its first HCA. */
static void join_driver(int i)
{
	int j, k;

	for (j = 0; j < ndrv; j++)
		if (!strcmp(drv[j].name, SH_KNOB(driver, i)))
			break;
	if (j == ndrv) {
		drv[j].name = SH_KNOB(driver, i);
		drv[j].id_table = ids[j];
		drv[j].probe = probe;
		drv[j].remove = remove;
		drv[j].sriov_configure = pci_sriov_configure_simple;
		ndrv++;
	}
	for (k = 0; ids[j][k].vendor; k++)
		;
	ids[j][k++] = sh_pci_id(i);
	if (vf_driver)
		ids[j][k] = sh_pci_vf_id(i);
}

static int add_bus(void)
{
	LIST_HEAD(res);

	sd.domain = pci_domain;
	sd.node = NUMA_NO_NODE;
	busn.name = "softhca";
	busn.start = pci_busnr;
	busn.end = pci_busnr;
	busn.flags = IORESOURCE_BUS;
	pci_add_resource(&res, &busn);
	pci_lock_rescan_remove();
	root = pci_create_root_bus(NULL, pci_busnr, &sh_pcicfg_ops, &sd, &res);
	if (root) {
		pci_scan_child_bus(root);
		pci_bus_add_devices(root);
	} else {
		pci_free_resource_list(&res);
	}
	pci_unlock_rescan_remove();
	return root ? 0 : -ENODEV;
}

int sh_pci_init(void)
{
	int i, r = sh_pcicfg_init();

	for (i = 0; !r && i < sh_hca_count(); i++)
		join_driver(i);
	for (i = 0; !r && i < ndrv; i++)
		r = pci_register_driver(&drv[i]);
	if (r) {
		ndrv = max(i - 1, 0); /* the number of registered drivers */
		sh_pci_exit();
		return r;
	}
	r = add_bus();
	if (r)
		sh_pci_exit();
	return r;
}

void sh_pci_exit(void)
{
	if (root) {
		pci_lock_rescan_remove();
		pci_stop_root_bus(root);
		pci_remove_root_bus(root);
		pci_unlock_rescan_remove();
		root = NULL;
	}
	while (ndrv)
		pci_unregister_driver(&drv[--ndrv]);
}
