/** Loaded by `--import`: prints how many modules a process has loaded when its first answer leaves, on a line `modules: N`. */
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

const loaded = new Set()
registerHooks({
  load(url, context, next) {
    loaded.add(url)
    return next(url, context)
  },
})
let isCounted = false
subscribe('http.server.response.finish', () => {
  if (!isCounted) writeSync(2, `modules: ${loaded.size}\n`)
  isCounted = true
})
