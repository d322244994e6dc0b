import type { AdfDoc, AdfNode } from './to-adf.ts'
import type { TextNode } from './adf-inline.ts'

/** Writes a document in the wiki notation of Jira Server. What would be a macro, an image or a mention there is escaped. */
export function toWiki({ content }: AdfDoc): string {
  return content.map((node) => block(node)).join('\n')
}

function block(node: AdfNode): string {
  if ('text' in node) return inline(node)
  const children = node.content ?? []
  const inside = (): string => children.map(block).join('')
  if (node.type === 'heading') return `h${String(node.attrs?.['level'])}. ${inside()}`
  if (node.type === 'bulletList') return children.map((item) => `* ${block(item)}`).join('\n')
  if (node.type === 'orderedList') return children.map((item) => `# ${block(item)}`).join('\n')
  if (node.type === 'table') return children.map(block).join('\n')
  if (node.type === 'tableRow') {
    const border = children.some(({ type }) => type === 'tableHeader') ? '||' : '|'
    return `${border}${children.map(block).join(border)}${border}`
  }
  return inside()
}

function inline({ text, marks = [] }: TextNode): string {
  return marks.reduceRight((inner, mark) => {
    if (mark.type === 'link') return `[${inner}|${mark.attrs.href.replaceAll('|', '%7C').replaceAll(']', '%5D')}]`
    const sign = mark.type === 'strong' ? '*' : mark.type === 'em' ? '_' : ''
    return `${sign}${inner}${sign}`
  }, text.replace(/[\\{}[\]|!*_^~]/g, '\\$&'))
}
