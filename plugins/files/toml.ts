import { parseTOML, ParseError, type AST } from 'toml-eslint-parser'
import { isPlainObject } from '../content/plain-object.ts'
import { endOfLine, type Span } from './ranges.ts'
import {
  isScalar,
  type Member,
  type ObjectNode,
  type ScalarNode,
  type Spot,
  type Syntax,
  type ValueNode,
} from './value-tree.ts'

/** TOML. Keys with dots and tables in lists are read, and their values changed; none is added or removed. */
export const toml: Syntax = {
  parse(text) {
    try {
      return rootOf(text, parseTOML(text))
    } catch (error) {
      if (!(error instanceof ParseError)) throw error
      return { unreadable: `This is not TOML: ${error.message.replace(/\.$/, '')}.`, line: error.lineNumber }
    }
  },
  spellings: (value, { now }) => spellings(value, now?.kind === 'scalar' ? now : undefined),
  member: (name, value) => `${/^[\w-]+$/.test(name) ? name : quoted(name)} = ${inline(value)}`,
  row: (value) => inline(value),
  comment: /#[^\r\n]*/g,
}

/** Control characters have escapes, as in JSON, and one more. */
const quoted = (value: string): string => JSON.stringify(value).replaceAll('\u007f', String.raw`\u007f`)

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (isPlainObject(value)) {
    const members = Object.entries(value).map(([name, each]) => toml.member(name, each, nowhere))
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return spellings(value, undefined)[0] ?? ''
}

const nowhere: Spot = { text: '', inFlow: true, column: 0 }

function spellings(value: unknown, now: ScalarNode | undefined): readonly string[] {
  if (!isScalar(value)) return [inline(value)]
  if (value === null) return []
  if (typeof value === 'number' && now?.style === 'float' && Number.isInteger(value)) return [`${value}.0`]
  if (typeof value !== 'string') return [String(value)]
  if (now?.style === 'date') return [value]
  const literal = /^[^'\p{Cc}]*$/u.test(value) ? [`'${value}'`] : []
  const tripled = /"""|"$|[^\P{Cc}\n\t]/u.test(value)
    ? []
    : [`"""\n${value.replaceAll('\\', String.raw`\\`)}"""`]
  const first =
    now?.style === 'single' ? literal : now?.style === 'tripled' && value.includes('\n') ? tripled : []
  return [...first, quoted(value)]
}

/** A table while it is read; its members may be in several places of the file. */
interface Table extends Span {
  readonly layout: 'lines' | 'fixed'
  readonly members: Map<string, Table | Table[] | Member>
  /** The end of the last line of its own. */
  ownTo: number
}

const isTable = (each: Table | Table[] | Member | undefined): each is Table =>
  each !== undefined && !Array.isArray(each) && 'layout' in each

function rootOf(text: string, program: AST.TOMLProgram): ObjectNode {
  const root: Table = { layout: 'lines', members: new Map(), from: 0, to: text.length, ownTo: 0 }
  for (const each of program.body[0].body) {
    if (each.type === 'TOMLKeyValue') {
      place(root, each, text)
      continue
    }
    const [from, to] = each.range
    const path = each.resolvedKey
    const isList = each.kind === 'array'
    const owner = tableAt(root, path.slice(0, isList ? -2 : -1), { from, to })
    const name = String(path.at(isList ? -2 : -1))
    const there = owner.members.get(name)
    // A table may follow those in it.
    const members = isTable(there) ? there.members : new Map()
    const own: Table = { layout: 'lines', members, from, to, ownTo: endOfLine(text, from) }
    owner.members.set(name, isList ? [...(Array.isArray(there) ? there : []), own] : own)
    for (const pair of each.body) place(own, pair, text)
  }
  return finished(root)
}

/** The table of a path; those that the file does not name get the place of the one that needs them. */
function tableAt(root: Table, path: readonly (string | number)[], place: Span): Table {
  let table = root
  for (const step of path) {
    if (typeof step === 'number') continue
    const there = table.members.get(step)
    const next = Array.isArray(there) ? there.at(-1) : isTable(there) ? there : undefined
    if (!next)
      table.members.set(step, (table = { layout: 'fixed', members: new Map(), ...place, ownTo: place.to }))
    else table = next
  }
  return table
}

function place(table: Table, { key, value, range: [from, to] }: AST.TOMLKeyValue, text: string): void {
  const names = key.keys.map((each) => (each.type === 'TOMLBare' ? each.name : each.value))
  const owner = tableAt(table, names.slice(0, -1), { from, to })
  const node = nodeOf(value, text)
  const name = names.at(-1) ?? ''
  const end = endOfLine(text, to)
  table.ownTo = end
  owner.members.set(name, { name, from, to: end, valueFrom: node.from, value: node })
}

function finished({ members, layout, from, to, ownTo }: Table): ObjectNode {
  const all = [...members].map(([name, each]): Member => {
    if (Array.isArray(each)) {
      const rows = each.map((table) => ({ from: table.from, to: table.to, value: finished(table) }))
      const span = { from: rows[0]?.from ?? 0, to: rows.at(-1)?.to ?? 0 }
      return { ...span, name, valueFrom: span.from, value: { ...span, kind: 'list', layout: 'fixed', rows } }
    }
    if (!isTable(each)) return each
    return { name, from: each.from, to: each.to, valueFrom: each.from, value: finished(each), isApart: true }
  })
  return { kind: 'object', layout, from, to, members: all, end: ownTo }
}

const styles = { basic: 'double', literal: 'single' } as const

function nodeOf(node: AST.TOMLContentNode, text: string): ValueNode {
  const [from, to] = node.range
  const span = { from, to }
  if (node.type === 'TOMLArray') {
    const rows = node.elements.map((each) => {
      const value = nodeOf(each, text)
      return { from: value.from, to: value.to, value }
    })
    return { ...span, kind: 'list', layout: 'flow', rows }
  }
  if (node.type === 'TOMLInlineTable') {
    const isPlain = node.body.every(({ key }) => key.keys.length === 1)
    const table: Table = { layout: 'lines', members: new Map(), ...span, ownTo: to }
    for (const pair of node.body) place(table, pair, text)
    const object = finished(table)
    const members = object.members.map((each, n) => ({ ...each, to: node.body[n]?.range[1] ?? each.to }))
    return { ...span, kind: 'object', layout: isPlain ? 'flow' : 'fixed', members }
  }
  switch (node.kind) {
    case 'string': {
      const style = node.multiline ? 'tripled' : styles[node.style]
      return { ...span, kind: 'scalar', value: node.value, style }
    }
    case 'boolean':
      return { ...span, kind: 'scalar', value: node.value, style: 'plain' }
    case 'integer':
    case 'float': {
      const isJson = Number.isFinite(node.value)
      if (isJson)
        return {
          ...span,
          kind: 'scalar',
          value: node.value,
          style: node.kind === 'float' ? 'float' : 'plain',
        }
      return { ...span, kind: 'fixed', value: text.slice(from, to), because: 'JSON has no such number' }
    }
    default:
      return { ...span, kind: 'scalar', value: text.slice(from, to), style: 'date' }
  }
}
