import { Ask, unfit } from '../ask.ts'
import { listOf, type Node } from '../grammar/node.ts'
import { findBlock, isSameName } from '../resolve/blocks.ts'
import { blockField } from '../resolve/fields.ts'
import { blockOf, pageInMind, pageOf, type FieldAt, type Work } from '../work.ts'
import { need, textOf, type Action } from './action.ts'
import { write } from './set-field.ts'

type Cells = readonly string[]

/** A row of cells at the end of a table; asks where there are more or fewer of them than columns. */
export const addTableRow: Action = (work, { block, cells, list }) => {
  const rows = rowsOfTable(work, block)
  const { headers } = blockOf(work, rows).props
  const given = list ? listOf(list).map(textOf) : textOf(cells).split(/,\s+/)
  if (Array.isArray(headers) && headers.length !== given.length) throw new Ask({ question: work.scene.texts.cellsWanted(headers.map(String)) })
  return write(work, rows, { [rows.name]: [...cellsIn(work, rows), given] })
}

/** The row that begins with a text; asks where there is none or the table would be left without rows. */
export const removeTableRow: Action = (work, parts) => {
  const rows = rowsOfTable(work, parts['block'])
  const wanted = textOf(need(parts, 'name'))
  const all = cellsIn(work, rows)
  const rest = all.filter(([first = '']) => !isSameName(first, wanted))
  if (rest.length === all.length) throw new Ask({ question: work.scene.texts.textNotFound(wanted) })
  if (all.length - rest.length > 1 || rest.length === 0) throw new Ask({ question: work.scene.texts.notInOneSentence })
  return write(work, rows, { [rows.name]: rest })
}

/** The rows of the table that is named, or of the only one on the page. */
function rowsOfTable(work: Work, named: Node | undefined): FieldAt {
  const slug = pageInMind(work)
  const tables = pageOf(work, slug).blocks.filter(({ type }) => type === 'Table')
  const [only] = tables
  const at = named ? findBlock(work, named) : only && tables.length === 1 ? { slug, id: only.id } : unfit('this page has not one table')
  return blockOf(work, at).type === 'Table' ? blockField(work, at, ['rows']) : unfit('this is no table')
}

function cellsIn(work: Work, rows: FieldAt): readonly Cells[] {
  const value = blockOf(work, rows).props[rows.name]
  return Array.isArray(value) ? value.map((row: unknown) => (Array.isArray(row) ? row.map(String) : [])) : []
}
