import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { isPlainObject } from '../content/plain-object.ts'
import { elementsOf, othersOf } from './alike.ts'
import { inForm } from './in-form.ts'
import { indentationOf, lineAt, lineEndOf, sliceOf, stepOf } from './ranges.ts'
import { isEmpty, isScalar, type Spot, type Syntax, type ValueNode } from './value-tree.ts'

/** JSON, with the comments and the last commas that editors of settings accept. */
export const json: Syntax = {
  parse(text) {
    const errors: ParseError[] = []
    const tree = parseTree(text, errors, { allowTrailingComma: true })
    const [error] = errors
    if (error)
      return {
        unreadable: `This is not JSON: ${printParseErrorCode(error.error)}.`,
        line: lineAt(text, error.offset),
      }
    return tree ? nodeOf(tree) : { unreadable: 'The file is empty.', line: 1 }
  },
  spellings: (value, spot) => [typeof value === 'string' ? textInForm(value, spot) : asOthers(value, spot)],
  member: (name, value, spot) => `${JSON.stringify(name)}:${colonOf(spot)}${laidOut(value, spot)}`,
  row: (value, spot) =>
    spot.beside && !spot.beside.includes('\n') ? onOneLine(value, spot) : laidOut(value, spot),
  comment: /\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g,
}

function nodeOf(node: Node): ValueNode {
  const span = { from: node.offset, to: node.offset + node.length }
  if (node.type === 'object') {
    const members = (node.children ?? []).flatMap(({ offset, length, colonOffset, children }) => {
      const [key, value] = children ?? []
      if (!key || !value) return []
      const to = offset + length
      return [
        {
          name: String(key.value),
          from: offset,
          to,
          valueFrom: (colonOffset ?? 0) + 1,
          value: nodeOf(value),
        },
      ]
    })
    return { ...span, kind: 'object', layout: 'flow', members }
  }
  if (node.type === 'array') {
    const rows = (node.children ?? []).map((child) => {
      const value = nodeOf(child)
      return { from: value.from, to: value.to, value }
    })
    return { ...span, kind: 'list', layout: 'flow', rows }
  }
  return {
    ...span,
    kind: 'scalar',
    style: typeof node.value === 'string' ? 'double' : 'plain',
    value: node.value,
  }
}

function textInForm(value: string, { text, now }: Spot): string {
  if (now?.kind !== 'scalar' || typeof now.value !== 'string') return JSON.stringify(value)
  const raw = text.slice(now.from + 1, now.to - 1).match(/\\u[\da-fA-F]{4}|\\.|[^\\]/g) ?? []
  const units = raw.map((each) => ({
    raw: each,
    value: each.startsWith('\\') ? String(JSON.parse(`"${each}"`)) : each,
  }))
  return `"${inForm(units, value, (part) => JSON.stringify(part).slice(1, -1))}"`
}

/** A value in place of another one is laid out as the nearest one like it. */
function asOthers(value: unknown, spot: Spot): string {
  if (isScalar(value) || isEmpty(value)) return JSON.stringify(value)
  const { text, column } = spot
  const { around, alike } = othersOf(value, spot)
  const beside = around && sliceOf(text, around)
  if (beside && !beside.includes('\n')) return onOneLine(value, { ...spot, beside })
  const [first] = alike ? elementsOf(alike) : []
  if (!alike || !first) return laidOut(value, spot, around ? stepOf(text) : '  ')
  const isOnLines = text.slice(alike.from, first.from).includes('\n')
  const blank = /^[ \t]*/.exec(text.slice(alike.from + 1))?.[0] ?? ''
  const inner = { ...spot, column: column + (isOnLines ? stepOf(text).length : 0) }
  const row = { ...inner, beside: sliceOf(text, first) }
  const elements = Array.isArray(value)
    ? value.map((each) => json.row(each, row))
    : Object.entries(value as object).map(([name, each]) => json.member(name, each, inner))
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (!isOnLines) return `${open}${blank}${elements.join(', ')}${blank}${close}`
  const line = (at: number): string => lineEndOf(text) + indentationOf(text, at)
  return `${open}${line(inner.column)}${elements.join(`,${line(inner.column)}`)}${line(column)}${close}`
}

/** Objects and lists have the steps of the file. */
function laidOut(value: unknown, { text, column }: Spot, step = stepOf(text)): string {
  const isList = Array.isArray(value) && value.every((each) => !isPlainObject(each) && !Array.isArray(each))
  if (isList) return `[${value.map((each) => JSON.stringify(each)).join(', ')}]`
  const line = lineEndOf(text) + indentationOf(text, column)
  return JSON.stringify(value, null, step).replaceAll('\n', () => line)
}

/** Objects have blanks inside of their braces as the row beside them has. */
function onOneLine(value: unknown, spot: Spot): string {
  if (Array.isArray(value)) return `[${value.map((each) => onOneLine(each, spot)).join(', ')}]`
  if (!isPlainObject(value)) return JSON.stringify(value)
  const blank = /^\{([ \t]*)/.exec(spot.beside ?? '')?.[1] ?? ''
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}:${colonOf(spot)}${onOneLine(each, spot)}`,
  )
  return members.length === 0 ? '{}' : `{${blank}${members.join(', ')}${blank}}`
}

/** What the file has behind its first colon. */
const colonOf = ({ text }: Spot): string => /"[ \t]*:([ \t]*)/.exec(text)?.[1] ?? ' '
