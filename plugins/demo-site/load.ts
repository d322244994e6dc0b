/** Loads the pages of the demo site, with its settings, on demand. */
export const loadDemoPages = () => import('./pages/index.ts')

/** Loads the renderer of pages on demand. */
export const loadRenderer = () => import('./render/index.ts')
