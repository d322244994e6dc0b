/** Lists as Word copies them: paragraphs, each with the level and the sign of its row. */
import { html, type DefaultTreeAdapterTypes as Tree } from 'parse5'

const styleOf = (node: Tree.Node): string =>
  'attrs' in node ? (node.attrs.find(({ name }) => name === 'style')?.value ?? '') : ''
/** Whether an element has the sign of a row, which the list draws itself. */
export const isSign = (node: Tree.Node): boolean => /mso-list\s*:\s*ignore/i.test(styleOf(node))

interface WordRow {
  readonly level: number
  /** The number of the row; `undefined` for one of a list without numbers. */
  readonly number: number | undefined
  readonly content: Tree.Element
}

/** Nodes with each run of such paragraphs as one list. */
export function withLists(nodes: readonly Tree.ChildNode[]): readonly Tree.ChildNode[] {
  const done: Tree.ChildNode[] = []
  let rows: WordRow[] = []
  const end = (): void => {
    if (rows.length > 0) done.push(...listsOf(rows))
    rows = []
  }
  for (const node of nodes) {
    const row = rowOf(node)
    if (row) rows.push(row)
    else if (rows.length === 0 || !isBlank(node)) {
      end()
      done.push(node)
    }
  }
  end()
  return done
}

const isBlank = (node: Tree.ChildNode): boolean =>
  node.nodeName === '#comment' || ('value' in node && node.value.trim() === '')

function rowOf(node: Tree.ChildNode): WordRow | undefined {
  const [, level] = /mso-list\s*:\s*l\d+\s+level(\d)/i.exec(styleOf(node)) ?? []
  if (level === undefined || !('tagName' in node) || node.tagName !== 'p') return undefined
  const [, number, letter] = /^\(?(?:(\d{1,9})|([a-z]{1,5}))[.)]/i.exec(signIn(node).trim()) ?? []
  const isFirst = letter !== undefined ? 1 : undefined
  return {
    level: Number(level),
    number: number === undefined ? isFirst : Number(number),
    content: { ...node, attrs: [] },
  }
}

const signIn = (element: Tree.ParentNode): string =>
  element.childNodes
    .map((child) => ('childNodes' in child ? (isSign(child) ? textIn(child) : signIn(child)) : ''))
    .join('')
const textIn = ({ childNodes }: Tree.ParentNode): string =>
  childNodes
    .map((child) => ('childNodes' in child ? textIn(child) : 'value' in child ? child.value : ''))
    .join('')

/** The lists of rows: one with numbers and one without are two, and deeper rows are a list in the row above. */
function listsOf(rows: readonly WordRow[]): readonly Tree.Element[] {
  const lists: { readonly tag: 'ol' | 'ul'; readonly start: number; readonly items: WordRow[][] }[] = []
  const top = Math.min(...rows.map(({ level }) => level))
  for (const row of rows) {
    const list = lists.at(-1)
    const tag = row.number === undefined ? 'ul' : 'ol'
    if (row.level > top && list) list.items.at(-1)?.push(row)
    else if (list?.tag === tag) list.items.push([row])
    else lists.push({ tag, start: row.number ?? 1, items: [[row]] })
  }
  return lists.map(({ tag, start, items }) =>
    element(
      tag,
      items.map(([first, ...deeper]) =>
        element('li', [...(first ? [first.content] : []), ...(deeper.length > 0 ? listsOf(deeper) : [])]),
      ),
      start,
    ),
  )
}

const element = (tagName: string, childNodes: Tree.ChildNode[], start = 1): Tree.Element => ({
  nodeName: tagName,
  tagName,
  attrs: start === 1 ? [] : [{ name: 'start', value: String(start) }],
  namespaceURI: html.NS.HTML,
  parentNode: null,
  childNodes,
})
