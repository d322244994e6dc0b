import { loadDemoPages } from '../../plugins/demo-site/port.ts'

/** The demo site, as its port gives it. */
export const { demoPages, demoSiteConfig } = await loadDemoPages()
