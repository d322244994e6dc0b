/** Whether the document is there because the page was loaded again. */
export const isReloaded = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => entry.toJSON().type === 'reload')
