#!/usr/bin/env node
import module from 'node:module'
import { whyTooOld } from '../../kernel/package-info.ts'

// Everything else is imported after this check, because an older Node fails on it with an error that
// explains nothing.
const reason = whyTooOld()
if (reason === undefined) {
  // Compiled code is kept in the folder for temporary files, so that the next start has less to do.
  module.enableCompileCache()
  const { main } = await import('./main.ts')
  await main(process.argv.slice(2), import.meta.filename)
} else {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
