import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface WriterProcess {
  readonly child: ChildProcess
  /** Everything that it has told so far. */
  output(): string
  /** Resolves when the process is gone. */
  readonly gone: Promise<number | null>
}

/** Starts a process that writes into a store. It tells into a file, so that nothing told is lost with it. */
export function startWriter(
  told: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): WriterProcess {
  const out = openSync(told, 'w')
  const script = fileURLToPath(new URL('writer.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', out, 'inherit'] })
  closeSync(out)
  const gone = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { child, output: () => readFileSync(told, 'utf8'), gone }
}

/** Runs a proof in a folder of its own, prints its result and fails the process when it throws. */
export async function prove(name: string, run: (folder: string) => Promise<string>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `prove-${name}-`))
  try {
    console.log(`${name}: ${await run(folder)}`)
  } catch (error) {
    console.error(`${name} FAILED:`, error)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compiles the library that stands between a process and its disk, where that can be done. */
export function compileDisk(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined
  const library = join(folder, 'disk.so')
  const source = fileURLToPath(new URL('disk.c', import.meta.url))
  const { status } = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-Wall', '-o', library, source], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return status === 0 ? library : undefined
}

/** Runs something on a disk of its own of so many megabytes, where a disk can be mounted. */
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
