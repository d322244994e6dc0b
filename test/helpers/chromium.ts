import { existsSync } from 'node:fs'

/** The path of the browser on this machine, if any. */
export const chromium = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
)

/** The options of a test that needs it. */
export const inBrowser = {
  skip: chromium === undefined && 'there is no browser here: name one in CHROMIUM_PATH',
}
