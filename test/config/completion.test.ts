import { execFile, execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { folderWith, orchestrator } from './helpers.ts'

const run = promisify(execFile)

/** The reason to skip the tests of a shell, or false where it is installed. */
function missing(shell: string): string | false {
  try {
    execFileSync(shell, ['-c', 'exit 0'])
    return false
  } catch {
    return `there is no ${shell} here`
  }
}

async function scriptFor(t: Test, shell: string): Promise<string> {
  const { code, out } = await orchestrator(folderWith(t), ['completion', shell])
  t.equal(code, 0)
  const path = join(folderWith(t), 'completion')
  writeFileSync(path, out)
  return path
}

t.test('bash completes commands and their flags', { skip: missing('bash') }, async (t) => {
  const script = await scriptFor(t, 'bash')
  const complete = async (...typed: readonly string[]): Promise<readonly string[]> => {
    const ask = `source '${script}'; COMP_WORDS=(orchestrator ${typed.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length}; _content_orchestrator; printf '%s\\n' "\${COMPREPLY[@]}"`
    return (await run('bash', ['-c', ask])).stdout.trim().split('\n')
  }
  t.same(await complete('re'), ['register', 'restore', 'redirects'])
  t.same(await complete('init', '--si'), ['--site-id'])
  t.match(await complete('init', ''), ['--cwd'])
  t.same(await complete('token', ''), ['create', 'list', 'revoke'])
  t.same(await complete('token', 'create', '--c'), ['--can', '--config'])
  t.same(await complete('init', '--cwd', '.', '--si'), ['--site-id'])
  t.match(
    (await run('bash', ['-c', `source '${script}'; complete -p orchestrator content-orchestrator`])).stdout,
    /-F _content_orchestrator orchestrator\n.* content-orchestrator\n/,
  )
})

t.test('zsh loads the script of bash', { skip: missing('zsh') }, async (t) => {
  const script = await scriptFor(t, 'zsh')
  const ask = `source '${script}'; COMP_WORDS=(orchestrator init --si); COMP_CWORD=2; _content_orchestrator; print -l $COMPREPLY`
  t.match((await run('zsh', ['-fc', `autoload -U compinit && compinit -u; ${ask}`])).stdout, /^--site-id$/m)
})

t.test('fish loads the script, and completes commands and flags', { skip: missing('fish') }, async (t) => {
  const script = await scriptFor(t, 'fish')
  const complete = async (line: string): Promise<string> =>
    (await run('fish', ['--no-config', '-c', `source '${script}'; complete -C '${line}'`])).stdout
  t.match(await complete('orchestrator ini'), /^init\b/)
  t.match(await complete('orchestrator token c'), /^create\b/)
  t.match(await complete('orchestrator token create --ca'), /^--can\b/)
  t.match(await complete('content-orchestrator init --y'), /^--yes\b/)
})

t.test('an unknown shell is refused with the list of known ones', async (t) => {
  const { code, err } = await orchestrator(folderWith(t), ['completion', 'tcsh'])
  t.same(
    [code, err],
    [2, "unknown shell 'tcsh'; expected one of bash, zsh, fish\nSee npx content-orchestrator --help.\n"],
  )
})
