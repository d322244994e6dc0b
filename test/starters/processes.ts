/** The commands of a scenario, each in a process of its own. */
import { execFileSync, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Test } from 'tap'
import { cli } from '../config/process.ts'
import { alone, env } from '../helpers/built-package.ts'
import { freePort } from '../helpers/raw.ts'

/** How long a website may take to start. */
const startMs = 180_000

function start(t: Test, folder: string, command: string, args: readonly string[]) {
  const [program, words] = alone(command, args)
  const { PATH, HOME } = env as NodeJS.ProcessEnv
  const child = spawn(program, words, { cwd: folder, env: { PATH, HOME, BROWSER: 'none' }, detached: true })
  const began = performance.now()
  let log = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (log += text))
  const ended = new Promise((resolve) => child.once('close', resolve))
  const stop = async (): Promise<void> => {
    // The whole group: a shell and a runner of scripts are between it and the server.
    try {
      process.kill(-(child.pid ?? 0), 'SIGTERM')
    } catch {
      // It has ended.
    }
    await ended
  }
  t.teardown(stop)
  return {
    began,
    log: () => log,
    stop,
    async until(holds: () => boolean | Promise<boolean>): Promise<void> {
      while (!(await holds())) {
        if (child.exitCode !== null || performance.now() - began > startMs)
          throw new Error(`${command} ${args.join(' ')} did not start:\n${log}`)
        await pause(20)
      }
    },
  }
}

/** Runs `edit` in a folder until it prints the address of the studio. */
export async function startEdit(t: Test, folder: string) {
  const edit = start(t, folder, process.execPath, [cli, 'edit', folder, '--port', '0'])
  const printed = (): string => /^Studio {5}(\S+)$/m.exec(edit.log())?.[1] ?? ''
  await edit.until(() => printed() !== '')
  const origin = new URL(printed()).origin
  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const init = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }
    const response = await fetch(new URL(path, origin.replace('edit.localhost', '127.0.0.1')), init || {})
    return response.json()
  }
  return { ...edit, origin, call }
}

/** Runs the website's own development server until it answers, and returns how long that took. */
export async function timeDev(t: Test, folder: string): Promise<number> {
  const found = execFileSync(process.execPath, [cli, 'edit', folder, '--check', '--json'], {
    encoding: 'utf8',
  })
  const { command } = JSON.parse(found) as { command: string }
  const port = String(await freePort())
  const dev = start(t, folder, 'sh', ['-c', command.replaceAll('{port}', port)])
  await dev.until(() =>
    fetch(`http://localhost:${port}/`).then(
      async (response) => response.ok && (await response.text()) !== '',
      () => false,
    ),
  )
  const took = performance.now() - dev.began
  await dev.stop()
  return took
}
