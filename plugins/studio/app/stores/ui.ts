/** What the person looks at. */
import { signal } from '@preact/signals'

export type ViewName = 'edit' | 'review' | 'history'
export const view = signal<ViewName>('edit')
/** Whether a click in the page selects or follows links. */
export const mode = signal<'edit' | 'browse'>('edit')
export const width = signal<'phone' | 'tablet' | 'desktop'>('desktop')
export const shows = signal<'draft' | 'published'>('draft')
/** Whether the palette of pages, blocks and commands is open. */
export const palette = signal(false)
/** The block after which one is added; `after` is undefined for the top of the page. */
export const adding = signal<{ readonly after: string | undefined } | undefined>(undefined)
