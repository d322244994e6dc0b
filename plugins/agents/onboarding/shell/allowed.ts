import { Problem } from '../problem.ts'
import { protectedGlobs } from '../files/guard.ts'

type PackageManager = 'npm' | 'pnpm' | 'yarn'

/** The reason why a line is not one permitted command. */
const notRun = (why: string): Problem => new Problem(`The command was not run: ${why}.`)

/**
 * Splits a line into the words of one command. Supports the quotes of a shell and nothing else: throws a
 * Problem for anything that a shell would expand or interpret.
 */
export function splitWords(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const char = line[at] ?? ''
    if (quote === "'" ? char === "'" : quote === '"' && char === '"') {
      quote = ''
    } else if (quote === '"' && /[$`\\]/.test(char)) {
      throw notRun(`'${char}' has a special meaning between double quotes; use single quotes`)
    } else if (quote !== '') {
      word += char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (/[|&;<>$`(){}*?!~#\\\n\r\0]/.test(char) || (char === '[' && word === undefined)) {
      throw notRun(
        `'${char}' is a shell operator, but commands run without a shell; send a single command, or put the text between single quotes`,
      )
    } else {
      word = (word ?? '') + char
    }
  }
  if (quote !== '') throw notRun('a quote is not closed')
  return word === undefined ? words : [...words, word]
}

/** A permitted command. `project` runs code of the site. */
export type Allowed = {
  readonly args: readonly string[]
  /** Arguments that are paths, to be checked before the command runs. */
  readonly paths: readonly string[]
} & (
  | { readonly kind: 'files' | 'git' | 'project'; readonly program: string }
  | { readonly kind: 'install'; readonly program: PackageManager }
)

/** A program that works on files. */
interface Program {
  /** The permitted switches; letters may be combined. */
  readonly switches: RegExp
  /** The number of words after the switches that are not paths. */
  readonly wordsFirst?: number
  readonly extra?: readonly string[]
}

const programs: Readonly<Record<string, Program>> = {
  ls: { switches: /^-[1aAlhtrRS]+$/ },
  cat: { switches: /^-[bns]+$/ },
  grep: {
    switches: /^-(?:[EFHchilnorvwxs]+|[ABC]\d{1,3}|m\d{1,4})$/,
    wordsFirst: 1,
    extra: ['--exclude-dir=node_modules', '--directories=skip', '--devices=skip'],
  },
  mkdir: { switches: /^-p$/ },
  cp: { switches: /^-[rnv]+$/, extra: ['--no-dereference'] },
  mv: { switches: /^-[nv]+$/ },
  rm: { switches: /^-[rfv]+$/ },
}

const gitFlags =
  /^(?:--(?:stat|shortstat|numstat|name-only|name-status|oneline|cached|staged|short|porcelain|graph|no-color|reverse)|-[sp]|-n?\d{1,4}|-[UC]\d{1,3})$/
const isManager = (program: string): program is PackageManager => ['npm', 'pnpm', 'yarn'].includes(program)
const findTests = /^-(?:name|iname|path|type|maxdepth|mindepth|size|mtime|newermt)$/
const findWords = /^-(?:not|o|or|a|and|print|empty)$/

export const allowedPrograms = [
  'git status|diff|log',
  ...Object.keys(programs),
  'find',
  'node',
  'npm|pnpm|yarn run|test|install',
]

/** Checks a command against the list. Throws a Problem that names the permitted programs. */
export function toAllowed(words: readonly string[]): Allowed {
  const [program = '', ...args] = words
  if (program === 'git') return git(args)
  if (program === 'find') return find(args)
  if (program === 'node') return { program, args, kind: 'project', paths: [] }
  if (isManager(program)) return manager(program, args)
  const rules = Object.hasOwn(programs, program) ? programs[program] : undefined
  if (!rules) throw refuse(`'${program}' is not permitted here`)
  const isSwitch = (arg: string): boolean => arg.startsWith('-') && arg !== '-'
  const switches = args.filter(isSwitch)
  const bad = switches.find((arg) => !rules.switches.test(arg))
  if (bad !== undefined) throw refuse(`'${program}' does not accept '${bad}' here`)
  const rest = args.filter((arg) => !isSwitch(arg))
  const words_ = rest.slice(0, rules.wordsFirst ?? 0)
  const paths = rest.slice(rules.wordsFirst ?? 0)
  if (paths.length === 0 && program !== 'ls') throw refuse(`'${program}' needs a path`)
  const extra = (rules.extra ?? []).filter(
    (each) => !(each === '--directories=skip' && switches.some((arg) => arg.includes('r'))),
  )
  // After `--`, a name that starts with a dash is not a switch.
  return { program, args: [...extra, ...switches, '--', ...words_, ...paths], kind: 'files', paths }
}

function git(args: readonly string[]): Allowed {
  const [command = '', ...rest] = args
  if (!['status', 'diff', 'log'].includes(command)) throw refuse(`'git ${command}' is not permitted here`)
  const split = rest.indexOf('--')
  const flags = split < 0 ? rest : rest.slice(0, split)
  const paths = split < 0 ? [] : rest.slice(split + 1)
  const bad = flags.find((arg) => !gitFlags.test(arg) && !/^\w[\w.~^/-]{0,99}$/.test(arg))
  if (bad !== undefined) throw refuse(`'git ${command}' does not accept '${bad}' here; paths come after '--'`)
  const safely = command === 'status' ? [] : ['--no-ext-diff', '--no-textconv']
  const hidden = protectedGlobs.flatMap((name) => [
    `:(exclude,icase,glob)**/${name}`,
    `:(exclude,icase,glob)**/${name}/**`,
  ])
  return {
    program: 'git',
    args: [
      '--no-pager',
      command,
      ...safely,
      ...flags,
      '--',
      ...(paths.length > 0 ? paths : ['.']),
      ...hidden,
    ],
    kind: 'git',
    paths,
  }
}

function find(args: readonly string[]): Allowed {
  const first = args.findIndex((arg) => arg.startsWith('-'))
  const paths = first < 0 ? args : args.slice(0, first)
  const tests = first < 0 ? [] : args.slice(first)
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at] ?? ''
    if (findTests.test(test)) at++
    else if (!findWords.test(test)) throw refuse(`'find' does not accept '${test}' here`)
  }
  return {
    program: 'find',
    args: ['-P', ...(paths.length > 0 ? paths : ['.']), ...tests],
    kind: 'files',
    paths,
  }
}

function manager(program: PackageManager, args: readonly string[]): Allowed {
  const [command = '', script, ...rest] = args
  const isName = (text: string | undefined): boolean =>
    text !== undefined && /^[\w:.-]{1,80}$/.test(text) && !text.startsWith('-')
  if (command === 'run' && isName(script) && rest.length === 0)
    return { program, args: [...args], kind: 'project', paths: [] }
  if (command === 'test' && script === undefined)
    return { program, args: ['test'], kind: 'project', paths: [] }
  if ((command === 'install' || command === 'ci') && args.length === 1)
    return { program, args: [command], kind: 'install', paths: [] }
  throw refuse(`'${[program, ...args].join(' ')}' is not permitted here`)
}

const refuse = (why: string): Problem => notRun(`${why}. Permitted: ${allowedPrograms.join(', ')}`)
