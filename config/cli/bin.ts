#!/usr/bin/env node
import module from 'node:module'
import { whyTooOld } from '../../kernel/package-info.ts'
import { limitMemory } from './memory-limits.ts'

// Everything else is imported after this check, because an older Node fails on it with an obscure error.
const reason = whyTooOld()
if (reason === undefined) {
  if (process.argv[2] === 'serve' || process.argv[2] === 'edit') limitMemory(process)
  // Caches compiled code in the temporary folder, for a faster next start.
  module.enableCompileCache()
  const { main } = await import('./main.ts')
  await main(process.argv.slice(2), import.meta.filename)
} else {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 1
}
