#!/usr/bin/env node
import module from 'node:module'
import { isWithin, packageInfo } from './package-info.ts'

// Everything else is imported after this check, because an older Node fails on it with an error that
// explains nothing.
const { node } = packageInfo().engines
if (isWithin(process.versions.node, node)) {
  // Compiled code is kept in the folder for temporary files, so that the next start has less to do.
  module.enableCompileCache()
  const { main } = await import('./main.ts')
  await main(process.argv.slice(2))
} else {
  process.stderr.write(
    `orchestrator needs Node ${node}, and this is ${process.versions.node}. Get one at https://nodejs.org.\n`,
  )
  process.exitCode = 1
}
