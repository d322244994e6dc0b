import { spawn } from 'node:child_process'

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens an address in a browser, if there is one. */
export function openBrowser(address: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const opener = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
  opener.on('error', () => undefined)
  opener.unref()
}
