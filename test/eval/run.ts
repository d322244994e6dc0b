/** Scores the cases against a planner: `npm run eval`, and `npm run eval -- --help` for the options. */
import { currentEnvironment } from '../../config/env.ts'
import { main } from './command.ts'

process.exitCode = await main(process.argv.slice(2), {
  env: currentEnvironment(),
  line: console.log,
  error: console.error,
})
