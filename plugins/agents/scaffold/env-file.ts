import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parseEnv } from 'node:util'
import { isMissing, messageOf } from '../../../kernel/index.ts'
import { writeFileAtomically } from '../../site/port.ts'
import { SiteFilesError } from './project.ts'

/** A variable whose existing value differs from the wanted value. */
export interface KeptVariable {
  readonly name: string
  readonly value: string
  readonly wanted: string
}

/** The result of adding variables to a file. */
export interface Merged {
  readonly text: string
  /** The text added at the end. */
  readonly appended: string
  readonly added: readonly string[]
  readonly kept: readonly KeptVariable[]
}

/**
 * Appends missing variables to a text, which otherwise stays byte-identical. A variable without a value is
 * missing. Throws a SiteFilesError for a value that cannot be quoted, and for a text with an unclosed quote.
 */
export function mergeEnv(text: string, wanted: Readonly<Record<string, string>>): Merged {
  const before = variablesIn(text)
  const missing = Object.entries(wanted).filter(([name]) => !before.get(name)?.trim())
  const kept = Object.entries(wanted).flatMap(([name, value]) => {
    const current = before.get(name) ?? ''
    return current.trim() === '' || current === value ? [] : [{ name, value: current, wanted: value }]
  })
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const start = text === '' || text.endsWith('\n') || missing.length === 0 ? '' : end
  const merged =
    text + start + missing.map(([name, value]) => `${name}=${quoted(name, value)}${end}`).join('')
  const after = variablesIn(merged)
  const expected = new Map([...before, ...missing])
  if ([...expected].some(([name, value]) => after.get(name) !== value)) throw new SiteFilesError(openQuote)
  return { text: merged, appended: merged.slice(text.length), added: missing.map(([name]) => name), kept }
}

const openQuote = 'the file has an unclosed quote, so nothing can be added; close it'

/** Parses the variables of a text like Node. */
export function variablesIn(text: string): ReadonlyMap<string, string> {
  const found = Object.entries(parseEnv(text.replace(/^\uFEFF/, '')))
  return new Map(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

/** Formats a value for the file; backslashes are special between double quotes. */
function quoted(name: string, value: string): string {
  if (/^[\w.:/@+-]+$/.test(value)) return value
  const quote = (value.includes('\\') ? ["'", '`'] : ['"', "'", '`']).find((each) => !value.includes(each))
  if (quote !== undefined) return quote + value + quote
  throw new SiteFilesError(
    `the value of ${name} contains every kind of quotes, so it cannot be quoted; change it`,
  )
}

/** Reads a file of variables; a missing file is empty. Throws a SiteFilesError if it is not UTF-8 text. */
export async function readEnvFile(file: string): Promise<string> {
  let bytes: Uint8Array
  try {
    bytes = await readFile(file)
  } catch (error) {
    if (isMissing(error, file)) return ''
    throw new SiteFilesError(`${file} cannot be read: ${messageOf(error)}`)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new SiteFilesError(`${file} is not text in UTF-8; save it in that encoding`)
  }
}

/** Plans {@link addToEnvFile} without writing; errors name the file. */
export async function planEnvFile(file: string, wanted: Readonly<Record<string, string>>): Promise<Merged> {
  const text = await readEnvFile(file)
  try {
    return mergeEnv(text, wanted)
  } catch (error) {
    throw error instanceof SiteFilesError ? new SiteFilesError(`${basename(file)}: ${error.message}`) : error
  }
}

/** Adds missing variables to a file. Only its owner can read a new file; a failure keeps the old. */
export async function addToEnvFile(file: string, wanted: Readonly<Record<string, string>>): Promise<Merged> {
  const merged = await planEnvFile(file, wanted)
  if (merged.added.length > 0) await writeFileAtomically(file, merged.text, { newMode: 0o600 })
  return merged
}
