import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Browser } from 'playwright-core'

/** Why there is no browser. */
export class NoBrowser extends Error {
  override readonly name = 'NoBrowser'
  readonly kind: 'library_missing' | 'browser_missing' | 'browser_failed'

  constructor(kind: NoBrowser['kind'], options?: ErrorOptions) {
    super(`no browser: ${kind}`, options)
    this.kind = kind
  }
}

export interface BrowserSettings {
  /** The program; the first of the usual ones without it. */
  readonly program: string | undefined
  readonly sandbox: boolean
}

/** Where systems and people install one. */
const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Nothing is there: what is not handed to a page by its loader does not reach it, not even by an address without a name. */
const noNetwork = { server: 'http://proxy.invalid:1', bypass: '<-loopback>' }
const flags = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
  '--disable-gpu',
]
const startMs = 10_000

/** Finds the program that takes screenshots, and what drives it. Rejects with NoBrowser. */
export async function findBrowser(program: string | undefined) {
  const { chromium } = await importLibrary()
  const executablePath = (program ? [program] : [...usual, chromium.executablePath()]).find((path) => existsSync(path))
  if (executablePath === undefined) throw new NoBrowser('browser_missing')
  return { chromium, executablePath }
}

/** Starts a browser without a network, with none of the variables of this process. Rejects with NoBrowser. */
export async function startBrowser({ program, sandbox }: BrowserSettings): Promise<Browser> {
  const { chromium, executablePath } = await findBrowser(program)
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: tmpdir(), TMPDIR: tmpdir() }
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  try {
    return await chromium.launch({ executablePath, chromiumSandbox: sandbox, env, proxy: noNetwork, args: flags, timeout: startMs, ...signals })
  } catch (cause) {
    throw new NoBrowser('browser_failed', { cause })
  }
}

/** The package is optional; a start does not wait for it. Bundlers let an import in a `try` fail when it is run. */
async function importLibrary() {
  try {
    return await import('playwright-core')
  } catch (cause) {
    throw new NoBrowser('library_missing', { cause })
  }
}
