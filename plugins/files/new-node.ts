/** How new nodes are written, and the parts that edits of others share. */
import type { Props } from '../content/page.ts'
import { addressText, newLinks, titleText } from './links.ts'
import { newTable } from './tables.ts'

/** A fence that no line of the code ends. */
export function longerFence(fence: string, code: string): string {
  const mark = fence.charAt(0)
  const runs = code.match(mark === '~' ? /^ {0,3}~{3,}/gm : /^ {0,3}`{3,}/gm) ?? []
  return mark.repeat(Math.max(fence.length, ...runs.map((run) => run.trim().length + 1)))
}

export const altText = (alt: string): string => alt.replaceAll(/[\\[\]*_`<&!]/g, String.raw`\$&`)

/** Returns the text of a node that is added; `undefined` for one that can only be copied. */
export function newNode({
  type,
  props,
  end,
}: {
  readonly type: string
  readonly props: Props
  readonly end: string
}) {
  const { text, level, language, src, alt = '', title = '', rows, links } = props
  const lines = typeof text === 'string' ? text.split('\n') : []
  const inLines = (each: readonly string[]): string => each.join(end)
  if (type === 'Divider') return '---'
  if (type === 'Image') {
    if (typeof src !== 'string' || typeof alt !== 'string' || typeof title !== 'string') return undefined
    const words = title === '' ? '' : ` ${titleText(title)}`
    return `![${altText(alt)}](${addressText(src)}${words})`
  }
  if (type === 'Table') return newTable(rows, end)
  if (type === 'Links') return newLinks(links, end)
  if (typeof text !== 'string') return undefined
  if (type === 'Paragraph' || type === 'List') return inLines(lines)
  if (type === 'Quote') return inLines(lines.map((line) => (line === '' ? '>' : `> ${line}`)))
  if (type === 'Heading' && typeof level === 'number') return `${'#'.repeat(level)} ${text}`
  if (type !== 'Code') return undefined
  const fence = longerFence('```', text)
  return inLines([
    `${fence}${typeof language === 'string' ? language : ''}`,
    ...(text === '' ? [] : lines),
    fence,
  ])
}
