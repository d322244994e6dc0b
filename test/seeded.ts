/**
 * Runs a command whose test files run in the order of a seed: `node test/seeded.ts npm run test:steps`, with
 * `--seed N` behind it for the order of an earlier run.
 */
import { spawnSync } from 'node:child_process'
import { drawSeed, seedVariable } from './helpers/seed.ts'

const [command = '', ...given] = process.argv.slice(2)
const at = given.indexOf('--seed')
const seed = at === -1 ? (process.env[seedVariable] ?? drawSeed()) : given[at + 1]
if (seed === undefined) throw new Error('--seed needs a value, such as --seed 5.')
const args = at === -1 ? given : given.toSpliced(at, 2)
const tell = (): void =>
  console.log(`The test files run in the order of seed ${seed}, again with: -- --seed ${seed}`)
tell()
const { status } = spawnSync(command, args, {
  env: { ...process.env, [seedVariable]: seed },
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (status !== 0) tell()
process.exitCode = status ?? 1
