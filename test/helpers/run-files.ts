/**
 * Runs test files in one process, in another one after each file that ends it, and reports each file by
 * itself.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { eventOf, type FileEvent } from './file-events.ts'

/** What a file may take: many times what it takes on a busy machine, and more than `until` waits. */
const fileMs = 300_000

/** Calls back when a file has had its time, and returns what cancels that. */
export type FileTimer = (file: string, expire: () => void) => () => void

const realTimer: FileTimer = (_file, expire) => {
  const timer = setTimeout(expire, fileMs)
  return () => clearTimeout(timer)
}

/** Files in the order of a seed: that of any two does not depend on which others there are. */
export function inOrder(files: readonly string[], seed: string): readonly string[] {
  const place = (file: string): string => createHash('sha256').update(`${seed} ${file}`).digest('hex')
  return files.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}

/** What a failure says beside its title. */
interface About {
  readonly message: string
  readonly stack?: string
  readonly unfinished?: string
}

/** Writes numbered results, as a record in the format of TAP. */
function openRecord(write: (line: string) => void) {
  let [count, isPassed] = [0, true]
  function add(isOk: boolean, title: string): void {
    isPassed &&= isOk
    write(`${isOk ? '' : 'not '}ok ${++count} - ${title}`)
  }
  function fail(title: string, about: About): void {
    add(false, title)
    const lines = Object.entries(about).flatMap(([name, text]) =>
      text ? [`  ${name}: ${JSON.stringify(text)}`] : [],
    )
    for (const line of ['  ---', ...lines, '  ...']) write(line)
  }
  return { write, add, fail, count: () => count, isPassed: () => isPassed }
}
type FileRecord = ReturnType<typeof openRecord>

/** The titles of the tests that began and did not end, from the outermost. */
function unfinishedIn(lines: readonly string[]): string {
  const open: string[] = []
  for (const line of lines) {
    const [, indent = '', begins, title = ''] = /^( *)(?:(# Subtest: )|(?:not )?ok \d+)(.*)/.exec(line) ?? []
    const depth = indent.length / 4
    if (begins) open.splice(depth, Infinity, title)
    else if (title) open.splice(depth)
  }
  return open.join(' > ')
}

/** What became of a process, and whether that is its own end. */
interface End {
  readonly how: string
  readonly isComplete: boolean
}

/**
 * Passes on the record of a process, without its plan. What a file prints is passed on with its result, so
 * that the record stays well formed where the process ends before the file does.
 */
function passOn(record: FileRecord, files: readonly string[], onFile: (file: string | undefined) => void) {
  let begun = 0
  let running: { readonly file: string; readonly lines: string[] } | undefined
  let ending: FileEvent | undefined

  function writeRunning(): void {
    for (const line of running?.lines ?? []) record.write(line)
    running = undefined
    onFile(undefined)
  }

  function onLine(line: string): void {
    // What tap reports of a process that ends is about no file.
    if (ending) return
    const event = eventOf(line)
    if (event?.ends) ending = event
    else if (event) failLate(record, event)
    if (event || /^(?:TAP version \d+|1\.\.\d+.*)$/.test(line)) return
    const [, failed, title] = /^(not )?ok \d+ - (.*)$/.exec(line) ?? []
    const file = files[begun]
    if (title !== undefined) {
      writeRunning()
      record.add(!failed, title)
    } else if (running) running.lines.push(line)
    else if (file !== undefined && line === `# Subtest: ${file}`) {
      begun += 1
      running = { file, lines: [line] }
      onFile(file)
    } else record.write(line)
  }

  /** Reports what the end of the process has cut off; returns the files that another one has to run. */
  function onEnd({ how, isComplete }: End): readonly string[] {
    const rest = files.slice(begun)
    if (ending?.file !== undefined && ending.file !== running?.file) {
      failLate(record, ending)
      return running ? [running.file, ...rest] : rest
    }
    const { message, stack = '' } = ending ?? { message: how }
    if (running) {
      const { file, lines } = running
      writeRunning()
      record.fail(file, { message, stack, unfinished: unfinishedIn(lines) })
    } else if (!isComplete) {
      record.fail('the process of these files', { message, stack })
    }
    if (begun > 0) return rest
    for (const file of rest) record.fail(file, { message: 'did not run: its process did not start' })
    return []
  }
  return { onLine, onEnd }
}

const failLate = (record: FileRecord, { file, message, stack }: FileEvent): void =>
  record.fail(`${file} after its end`, { message, stack })

/**
 * The flags of this process, without the loaders of tap where no coverage is measured: each module would pass
 * through them, a sixth of the CPU time.
 */
const flags =
  process.env['_TAPJS_PROCESSINFO_COVERAGE_'] === '0'
    ? process.execArgv.filter((flag) => !flag.includes('/@tapjs/') && flag !== '--enable-source-maps')
    : process.execArgv

/** Runs files in one process until it ends; returns those that another one has to run. */
async function runSome(
  record: FileRecord,
  { folder, files, timer }: { folder: string; files: readonly string[]; timer: FileTimer },
): Promise<readonly string[]> {
  const program = fileURLToPath(new URL('file-process.ts', import.meta.url))
  const child = spawn(process.execPath, [...flags, program, folder, ...files], {
    env: { ...process.env, TAP: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let isExpired = false
  const startTimer = (file = 'between files') =>
    timer(file, () => {
      isExpired = true
      child.kill('SIGKILL')
    })
  let stopTimer = startTimer()
  const { onLine, onEnd } = passOn(record, files, (file) => {
    stopTimer()
    stopTimer = startTimer(file)
    // The runner of tap gives this process as much time again.
    if (file !== undefined) record.write(`# timeout=${2 * fileMs}`)
  })
  const closed = once(child, 'close')
  for await (const line of createInterface({ input: child.stdout })) onLine(line)
  const [code, signal] = await closed
  stopTimer()
  if (isExpired) return onEnd({ how: `had not ended after ${fileMs / 1000} s`, isComplete: false })
  // tap ends with 1 when a test has failed.
  const isComplete = code === 0 || (code === 1 && !record.isPassed())
  return onEnd({ how: `ended its process with ${signal ?? `code ${code}`}`, isComplete })
}

/**
 * Runs test files of a folder in this order, and writes a record in the format of TAP with a result for each
 * of them. A file that throws when its tests have ended gets another result, and none of the others. Returns
 * whether all passed.
 */
export async function runFiles({
  folder,
  files,
  write,
  timer = realTimer,
}: {
  readonly folder: string
  readonly files: readonly string[]
  readonly write: (line: string) => void
  readonly timer?: FileTimer
}): Promise<boolean> {
  const record = openRecord(write)
  write('TAP version 14')
  let rest = files
  while (rest.length > 0) rest = await runSome(record, { folder, files: rest, timer })
  write(`1..${record.count()}`)
  return record.isPassed()
}
