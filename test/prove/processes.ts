import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface WriterProcess {
  readonly child: ChildProcess
  /** The standard output so far. */
  output(): string
  /** Resolves when the process exits. */
  readonly gone: Promise<number | null>
}

/** The writers end with this process, also after a failure. */
const writers = new Set<ChildProcess>()
process.once('exit', () => writers.forEach((child) => child.kill('SIGKILL')))

/** Starts a process that writes to a store. Its output goes to a file, so that none is lost on a kill. */
export function startWriter(
  outputFile: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): WriterProcess {
  const out = openSync(outputFile, 'w')
  const script = fileURLToPath(new URL('writer.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', out, 'inherit'] })
  closeSync(out)
  writers.add(child)
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, output: () => readFileSync(outputFile, 'utf8'), gone }
}

let leaving: NodeJS.Timeout | undefined

/** Runs a proof in a temporary folder, prints its result, and sets the exit code to 1 if it throws. */
export async function prove(name: string, run: (folder: string) => Promise<string>): Promise<void> {
  clearTimeout(leaving)
  const folder = mkdtempSync(join(tmpdir(), `prove-${name}-`))
  try {
    console.log(`${name}: ${await run(folder)}`)
  } catch (error) {
    console.error(`${name} FAILED:`, error)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  // Processes that still run after a failure would keep this one alive.
  if (process.exitCode === 1) process.exit()
  // So would a connection that is left; another proof may follow.
  leaving = setTimeout(() => process.exit(), 5_000).unref()
}

/** Compiles `disk.c`; undefined where that is not possible. */
export function compileDisk(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined
  const library = join(folder, 'disk.so')
  const source = fileURLToPath(new URL('disk.c', import.meta.url))
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-o', library, source], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return status === 0 ? library : undefined
}

/** Runs something on a temporary disk of so many megabytes; skipped where it cannot be mounted. */
export async function onSmallDisk(
  folder: string,
  megabytes: number,
  run: (place: string) => Promise<string>,
): Promise<string> {
  const place = join(folder, 'disk')
  mkdirSync(place)
  const args = ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', place]
  const mounted = spawnSync('mount', args, { stdio: 'ignore' })
  if (mounted.status !== 0) return 'skipped, because mounting a small disk is not permitted here'
  try {
    return await run(place)
  } finally {
    spawnSync('umount', ['-l', place], { stdio: 'ignore' })
  }
}
