import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { BootError } from '../kernel/index.ts'
import { isMissing, messageOf } from './explain.ts'

/** A snapshot of the environment, without blank variables. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment of this process; reads nothing from disk. */
export function currentEnvironment(variables: NodeJS.ProcessEnv = process.env): Environment {
  return Object.freeze(Object.fromEntries(Object.entries(variables).filter(([, value]) => isSet(value))))
}

/**
 * Loads `.env.local` and `.env` from a folder into the environment of this process, because a configuration
 * file may read it too, and returns a snapshot. Existing variables take precedence over `.env.local`, which
 * takes precedence over `.env`. Throws a BootError for a file that cannot be read or parsed.
 */
export function readEnvironment(folder: string, variables: NodeJS.ProcessEnv = process.env): Environment {
  for (const file of ['.env.local', '.env']) {
    for (const [name, value] of Object.entries(parseEnv(readText(join(folder, file))))) {
      if (!isSet(variables[name])) variables[name] = value
    }
  }
  return currentEnvironment(variables)
}

const isSet = (value: string | undefined): boolean => value !== undefined && value.trim() !== ''

function readText(file: string): string {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    if (isMissing(error, file)) return ''
    const isBinary = error instanceof TypeError
    throw new BootError([
      isBinary
        ? `${file} is not UTF-8 text; save it in that encoding`
        : `${file} cannot be read: ${messageOf(error)}`,
    ])
  }
  const line = firstBrokenLine(text)
  if (line === undefined) return text
  throw new BootError([
    `${file}, line ${line}: expected NAME=value, a comment that begins with #, or nothing`,
  ])
}

/** Matches an empty line, a comment, or a variable, whose quoted value may span lines. */
const entry =
  /[ \t]*(?:#[^\n]*|(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?:"[^"]*"[^\n]*|'[^']*'[^\n]*|`[^`]*`[^\n]*|[^\n]*))?(?:\r?\n|$)/y

/** Returns the number of the first line that Node's parser would skip silently. */
function firstBrokenLine(text: string): number | undefined {
  entry.lastIndex = 0
  while (entry.lastIndex < text.length) {
    const start = entry.lastIndex
    if (!entry.test(text)) return text.slice(0, start).split('\n').length
  }
  return undefined
}
