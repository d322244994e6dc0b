/** What the person looks at. */
import { signal } from '@preact/signals'
import { remembered } from './remembered.ts'

export type ViewName = 'edit' | 'review' | 'history' | 'media' | 'insights'
export const view = signal<ViewName>('edit')
/** Whether a click in the page selects or follows links. */
export const mode = remembered('mode', ['edit', 'browse'])
/** The device whose page is in the frame. A window without room for a desktop begins with a smaller one. */
export const width = remembered(
  'width',
  innerWidth > 1100 ? ['desktop', 'tablet', 'phone'] : ['tablet', 'desktop', 'phone'],
)
export const shows = signal<'draft' | 'published' | 'both'>('draft')
/** Whether the palette of pages, blocks and commands is open. */
export const palette = signal(false)
/** Whether all keys are shown. */
export const help = signal(false)
/** Whether a person gives the own name. */
export const isNaming = signal(false)
/** What is beside the page; on a phone, whether it is open over the page. */
export const side = signal<'chat' | 'fields'>('fields')
export const isSideOpen = signal(false)
/** Whether the panels beside the page are folded, which leaves their width to the page. */
export const panels = {
  left: remembered('left-panel', ['open', 'folded']),
  right: remembered('right-panel', ['open', 'folded']),
} as const
export type PanelName = keyof typeof panels
export function fold(name: PanelName): void {
  panels[name].value = panels[name].value === 'open' ? 'folded' : 'open'
}
export function openSide(name: typeof side.value): void {
  side.value = name
  isSideOpen.value = true
  panels.right.value = 'open'
}
/** Whose settings are there while no block is selected. */
export const settings = signal<'page' | 'site'>('page')
/** Whether the list of pages is open, or the form for a new one. */
export const pagesOpen = signal<'list' | 'new' | undefined>(undefined)
/** The block for which a person chooses another place. */
export const moving = signal<string | undefined>(undefined)
/** The block after which one is added; `after` is undefined for the top of the page. */
export const adding = signal<{ readonly after: string | undefined } | undefined>(undefined)

/** A removal that waits for an answer of the person, outside of the page. */
export const removal = signal<
  { readonly what: string; readonly why: string; readonly run: () => void } | undefined
>(undefined)
