/** Loads the pages of the demo site, with its settings, on demand. */
export const loadDemoPages = () => import('./pages/index.ts')

/** Loads the renderer of pages on demand. */
export const loadRenderer = () => import('./render/index.ts')

/** Loads the renderer of large pages on demand. */
export const loadThread = () => import('./render/thread.ts')
