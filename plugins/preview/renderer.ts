import { loadRenderer } from '../site/port.ts'

/** What makes HTML, for the files that only the first link loads. */
export const { html, raw, toMarkup, renderPage, contentSecurityPolicy } = await loadRenderer()

export type Html = ReturnType<typeof html>
