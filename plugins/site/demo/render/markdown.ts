import type { HeadingLevel } from '../../../content/fields.ts'
import { html, type Html, type HtmlValue } from '../../../content/markup.ts'
import { heading } from './parts.ts'
import { safeLink } from './url.ts'

type Kind = 'heading' | 'bullets' | 'numbers' | 'paragraph'

interface Chunk {
  readonly kind: Kind
  readonly lines: string[]
}

const markers: Readonly<Record<Kind, RegExp>> = {
  heading: /^\s{0,3}(#{1,6})\s+/,
  bullets: /^\s*[-*+•]\s+/,
  numbers: /^\s*(\d{1,9})[.)]\s+/,
  paragraph: /^/,
}

// Every repetition stops at the character that begins the next attempt, so the time stays linear in the text.
const inlineMarks = /\[([^[\]]+)\]\(([^()\s]+)\)|\*\*(?!\s)([^*]+)(?<!\s)\*\*|\*(?!\s)([^*]+)(?<!\s)\*/g

/**
 * Renders Markdown: paragraphs, headings, lists, bold, italic, links. No library, because those allow markup
 * in the text; here it is escaped. Headings are never above `top`; any value but a string is empty.
 */
export function markdown(text: unknown, top: HeadingLevel): Html {
  if (typeof text !== 'string') return html``
  return html`${chunksOf(text).map((chunk) => renderChunk(chunk, top))}`
}

/** Renders bold, italic and links of one run of text; keeps line breaks. */
function inline(text: string): Html {
  const parts: HtmlValue[] = []
  let end = 0
  for (const match of text.matchAll(inlineMarks)) {
    const [matched, label, target, bold, italic] = match
    parts.push(plain(text.slice(end, match.index)), marked(label, target, bold, italic))
    end = match.index + matched.length
  }
  return html`${parts}${plain(text.slice(end))}`
}

function plain(text: string): HtmlValue {
  return text.split('\n').map((line, i) => [i > 0 && html`<br>`, line])
}

function marked(label = '', target?: string, bold?: string, italic?: string): Html {
  if (bold !== undefined) return html`<strong>${inline(bold)}</strong>`
  if (italic !== undefined) return html`<em>${inline(italic)}</em>`
  return html`<a href="${safeLink(target)}">${inline(label)}</a>`
}

function chunksOf(text: string): readonly Chunk[] {
  const chunks: Chunk[] = []
  let open: Chunk | undefined
  for (const line of text.split(/\r\n?|\n/)) {
    const kind = kindOf(line)
    if (kind === undefined || kind !== open?.kind || kind === 'heading') open = undefined
    if (kind === undefined) continue
    if (!open) chunks.push(open = { kind, lines: [] })
    open.lines.push(line)
  }
  return chunks
}

function kindOf(line: string): Kind | undefined {
  if (line.trim() === '') return undefined
  return (['heading', 'bullets', 'numbers'] as const).find((kind) => markers[kind].test(line)) ?? 'paragraph'
}

function renderChunk({ kind, lines }: Chunk, top: HeadingLevel): Html {
  const [first = ''] = lines
  const marker = markers[kind].exec(first)?.[1] ?? ''
  const texts = lines.map((line) => line.replace(markers[kind], '').trim())
  if (kind === 'paragraph') return html`<p>${inline(texts.join('\n'))}</p>`
  if (kind === 'heading') return heading(atLeast(top, marker.length), inline(texts.join(' ')))
  const items = texts.map((text) => html`<li>${inline(text)}</li>`)
  return kind === 'bullets' ? html`<ul>${items}</ul>` : html`<ol start="${Number(marker)}">${items}</ol>`
}

function atLeast(top: HeadingLevel, wanted: number): HeadingLevel {
  return ([1, 2, 3, 4, 5, 6] as const).find((level) => level >= Math.max(top, wanted)) ?? 6
}
