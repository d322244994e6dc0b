import { inspect, styleText } from 'node:util'

interface TapResult {
  readonly ok: boolean
  readonly fullname: string
  /** Whether it is the result of a test, which fails with what is inside. */
  readonly closingTestPoint: boolean
  readonly skip: unknown
  readonly todo: unknown
  readonly diag: Readonly<Record<string, unknown>> | null
}

/** The part of tap's parser that is used; each test within a test has its own. */
interface Parser {
  on(event: 'child', listener: (child: Parser) => void): void
  on(event: 'assert', listener: (result: TapResult) => void): void
  on(event: 'extra', listener: (text: string) => void): void
}

/** A test file, in a process of its own. */
interface Process {
  readonly name: string
  readonly parser: Parser
  readonly results?: { readonly ok: boolean }
  readonly options: { readonly exitCode?: number | null; readonly signal?: string | null }
  on(event: 'process', listener: (child: { readonly stderr: NodeJS.ReadableStream | null }) => void): void
}

interface Runner {
  on(event: 'subtestAdd' | 'subtestEnd', listener: (process: Process) => void): void
  on(event: 'complete', listener: () => void): void
}

const counts = { passed: 0, skipped: 0 }
/** The names of what failed, those of the tests around each included. */
const failed: string[] = []
const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** The place of an assertion, what differs, and the rest of what tap recorded. */
function detailsOf({ at, diff, source, stack, ...rest }: Readonly<Record<string, unknown>>): string {
  const { fileName, lineNumber, columnNumber }: Readonly<Record<string, unknown>> = Object(at)
  const parts = [
    fileName && `${fileName}:${lineNumber}:${columnNumber}`,
    source,
    diff || (Object.keys(rest).length > 0 && inspect(rest, { depth: 6 })),
    stack,
  ]
  const text = parts.flatMap((part) => (part ? String(part).trimEnd() : [])).join('\n')
  return text.replaceAll(/^/gm, '  ')
}

function follow(parser: Parser): void {
  parser.on('child', follow)
  parser.on('assert', ({ ok, fullname, closingTestPoint, skip, todo, diag }) => {
    if (skip || todo) counts.skipped += 1
    else if (ok) counts.passed += closingTestPoint ? 0 : 1
    // A test fails with what is inside, or by itself: with a plan that was not met, for example.
    else if (!closingTestPoint || !failed.some((name) => name.startsWith(`${fullname} > `))) {
      failed.push(fullname)
      print(styleText('red', `✖ ${fullname}`))
      if (diag) print(detailsOf(diag))
    }
  })
}

function endOf({ name, results, options: { exitCode, signal } }: Process): string {
  if (results?.ok) return `${styleText('green', '✔')} ${name}`
  return styleText('red', `✖ ${name} ended with ${signal || `code ${exitCode ?? 0}`}`)
}

let isFollowed = false

/** A reporter for tap: prints each failure when it happens, with file and line, and each process when it ends. */
const Report = ({ test }: { readonly test: Runner }): null => {
  if (isFollowed) return null
  isFollowed = true
  test.on('subtestAdd', (each) => {
    follow(each.parser)
    each.parser.on('extra', (text) => void process.stdout.write(text))
    each.on('process', ({ stderr }) => stderr?.on('data', (text) => void process.stderr.write(text)))
  })
  const start = performance.now()
  const seconds = (): string => `${((performance.now() - start) / 1000).toFixed(0)} s`
  test.on('subtestEnd', (each) => print(`${endOf(each)}, after ${seconds()}`))
  test.on('complete', () => {
    const { passed, skipped } = counts
    print(`${passed} passed, ${failed.length} failed, ${skipped} skipped, in ${seconds()}`)
  })
  return null
}

export default Report
