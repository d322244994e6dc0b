import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Browser } from 'playwright-core'

/** Thrown if the browser cannot be started. */
export class NoBrowser extends Error {
  override readonly name = 'NoBrowser'
  readonly kind: 'library_missing' | 'browser_missing' | 'browser_failed'

  constructor(kind: NoBrowser['kind'], options?: ErrorOptions) {
    super(`no browser: ${kind}`, options)
    this.kind = kind
  }
}

/** The usual installation paths. */
const defaultPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** A proxy that does not exist: pages only get bytes from the loader, even for bare IP addresses. */
const noNetwork = { server: 'http://proxy.invalid:1', bypass: '<-loopback>' }
const flags = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  // Chromium reads the first one, its headless shell the second.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
  '--disable-gpu',
]
const startMs = 10_000

/** Finds the browser executable and its driver. Rejects with NoBrowser. */
export async function findBrowser(program: string | undefined) {
  const { chromium } = await importLibrary()
  const executablePath = (program ? [program] : [...defaultPaths, chromium.executablePath()]).find((path) =>
    existsSync(path),
  )
  if (executablePath === undefined) throw new NoBrowser('browser_missing')
  return { chromium, executablePath }
}

/** Starts a browser without network access or the environment of this process. Rejects with NoBrowser. */
export async function startBrowser({
  program,
  sandbox,
}: {
  /** The path of the executable; default: the first of the usual paths. */
  readonly program: string | undefined
  readonly sandbox: boolean
}): Promise<Browser> {
  const { chromium, executablePath } = await findBrowser(program)
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: tmpdir(), TMPDIR: tmpdir() }
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  try {
    return await chromium.launch({
      executablePath,
      chromiumSandbox: sandbox,
      env,
      proxy: noNetwork,
      args: flags,
      timeout: startMs,
      ...signals,
    })
  } catch (cause) {
    throw new NoBrowser('browser_failed', { cause })
  }
}

/** The optional package, loaded on first use. Inside `try`, bundlers let a missing package fail at run time. */
async function importLibrary() {
  try {
    return await import('playwright-core')
  } catch (cause) {
    throw new NoBrowser('library_missing', { cause })
  }
}
