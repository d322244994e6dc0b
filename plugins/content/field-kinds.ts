import { html, toMarkup } from './markup.ts'
import type { FieldKind, Props } from './model.ts'
import { ownValue } from './plain-object.ts'

/** The image path that stands for "no image chosen yet". */
export const imagePlaceholder = '/hero-generated.svg'

/** What follows from the kind of a field alone. */
export interface KindFacts {
  /** The value in a new row. A kind without this stays absent from new rows. */
  readonly initial?: (label: string, options: readonly string[]) => unknown
  /** Whether its text is edited in place on the page, unless the field says otherwise. */
  readonly inline: boolean
  /** Whether a translation of the page changes it. */
  readonly translatable: boolean
}

const newText = (label: string) => `New ${label}`
const newMarkup = (label: string) => toMarkup(html`<p>New ${label}</p>`)
const noRows = () => []
const home = () => '/'
const placeholder = () => imagePlaceholder

/** Every kind that a field may have. A list is translated field by field, so the list itself is not. */
export const fieldKinds: Readonly<Record<FieldKind, KindFacts>> = {
  text: { initial: newText, inline: true, translatable: true },
  html: { initial: newMarkup, inline: false, translatable: true },
  richtext: { initial: newText, inline: true, translatable: true },
  link: { initial: home, inline: false, translatable: false },
  reference: { initial: () => null, inline: false, translatable: false },
  list: { initial: noRows, inline: false, translatable: false },
  stringList: { initial: noRows, inline: false, translatable: true },
  imageList: { initial: noRows, inline: false, translatable: false },
  url: { initial: home, inline: false, translatable: false },
  image: { initial: placeholder, inline: false, translatable: false },
  imageAlt: { initial: newText, inline: false, translatable: true },
  enum: { initial: (_label, options) => options[0] ?? '', inline: false, translatable: false },
  color: { initial: () => '#0f766e', inline: false, translatable: false },
  number: { initial: () => 0, inline: false, translatable: false },
  headingLevel: { inline: false, translatable: false },
}

/** Tells the names of field kinds from other values. */
export function isFieldKind(value: unknown): value is FieldKind {
  return typeof value === 'string' && Object.hasOwn(fieldKinds, value)
}

/** Tells whether an image value means that none was chosen: nothing, an empty text, the placeholder. */
export function isPlaceholder(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  if (typeof value !== 'string') return false
  const [path = ''] = value.trim().split(/[?#]/, 1)
  return path === '' || path.replace(/^\/+/, '') === imagePlaceholder.slice(1)
}

/** How deep a heading is, as in `h1` to `h6`. */
export type HeadingLevel = 1 | 2 | 3 | 4 | 5 | 6

interface Headed {
  readonly type: string
  readonly props: Props
}

const chosen: Readonly<Record<string, HeadingLevel>> = { h1: 1, h2: 2, h3: 3, h4: 4, h5: 5, h6: 6 }
const ofType: Readonly<Record<string, HeadingLevel>> = { Hero: 1, Card: 3, Footer: 4 }
const below = { 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 6 } as const

/** The level of a block's heading: its own `headingLevel` where that is valid, else that of its type. */
export function headingLevelOf({ type, props }: Headed): HeadingLevel {
  const wanted = props['headingLevel']
  return (typeof wanted === 'string' ? ownValue(chosen, wanted) : undefined) ?? ownValue(ofType, type) ?? 2
}

/** The level of the headings of a block's rows: one below the block's own, at most 6. */
export function rowHeadingLevelOf(block: Headed): HeadingLevel {
  return below[headingLevelOf(block)]
}
