import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { doors, pathOf } from './doors.ts'

/** The kind of an export: a value, a type, or both. */
export interface Exported {
  readonly value: boolean
  readonly type: boolean
}

type Names = ReadonlyMap<string, Exported>

const declaration =
  /^export (?:declare |abstract |async )*(const|let|class|function\*?|interface|type) (\w+)/gm
const list = /^export (type )?\{([^}]*)\}(?: from '([^']+)')?/gm
const everything = /^export \* from '([^']+)'/gm

/**
 * The exports of a source file, read from its text, because types are erased at run time.
 *
 * Recognizes the forms in use here, at the beginning of a line.
 */
export function exportsOf(file: string): Names {
  const text = readFileSync(pathOf(file), 'utf8')
  const names = new Map<string, Exported>()
  const add = (name: string, { value, type }: Exported): void => {
    const before = names.get(name)
    names.set(name, { value: value || before?.value === true, type: type || before?.type === true })
  }
  const from = (address: string): Names =>
    address.startsWith('.') ? exportsOf(posix.join(posix.dirname(file), address)) : new Map()

  for (const [, kind = '', name = ''] of text.matchAll(declaration)) {
    const type = kind === 'interface' || kind === 'type'
    add(name, { value: !type, type: type || kind === 'class' })
  }
  if (/^export default /m.test(text)) add('default', { value: true, type: false })
  for (const [, address = ''] of text.matchAll(everything))
    for (const [name, exported] of from(address)) add(name, exported)
  for (const [, onlyTypes, names = '', address] of text.matchAll(list)) {
    const source = address === undefined ? undefined : from(address)
    for (const part of names
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean)) {
      const [, type, name = '', alias = name] = /^(type )?(\w+)(?: as (\w+))?$/.exec(part) ?? []
      const { value, type: isType } = source?.get(name) ?? { value: true, type: true }
      const asType = onlyTypes !== undefined || type !== undefined
      add(alias, asType ? { value: false, type: true } : { value, type: isType })
    }
  }
  return names
}

/** The exports of every entry point, in alphabetical order. */
export function exportsText(): string {
  const parts = doors().map(({ address, file }) => {
    const names = [...exportsOf(file)].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return [`# ${address}`, ...names.map(([name, { value }]) => (value ? name : `type ${name}`))].join('\n')
  })
  return `${parts.join('\n\n')}\n`
}
