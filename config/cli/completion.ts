import { UsageError, defineCommand, type Command, type Flag } from './shared/command.ts'

const programs = ['content-orchestrator', 'orchestrator']

/** A completion candidate, and its description. */
type Candidate = readonly [word: string, description: string]

/** The candidates after some words; more flags may follow unless `isExact`. */
type Step = { readonly after: string; readonly isExact: boolean; readonly candidates: readonly Candidate[] }

/** Puts a text in single quotes, in which shells expand nothing. */
const quoted = (text: string, escaped = String.raw`'\''`): string => `'${text.replaceAll("'", escaped)}'`

function stepsOf(commands: readonly Command[]): readonly Step[] {
  const named = commands.map(({ name, summary }) => ({ words: name.split(' '), summary }))
  const groups = Map.groupBy(
    named.filter(({ words }) => words.length > 1),
    ({ words: [first = ''] }) => first,
  )
  const subcommands = [...groups].map(([after, group]) => ({
    after,
    isExact: true,
    candidates: group.map(({ words: [, second = ''], summary }): Candidate => [second, summary]),
  }))
  const firsts: readonly Candidate[] = [
    ...named.flatMap(({ words: [first = '', second], summary }): readonly Candidate[] =>
      second === undefined ? [[first, summary]] : [],
    ),
    ...subcommands.map(({ after, candidates }): Candidate => [
      after,
      `Subcommands: ${candidates.map(([word]) => word).join(', ')}.`,
    ]),
  ]
  const flags = commands.map(({ name, flags }) => {
    const known = Object.entries<Flag>({ ...flags, help: { help: 'Prints the help.' } })
    return {
      after: name,
      isExact: false,
      candidates: known.map(([flag, { help }]): Candidate => [`--${flag}`, help]),
    }
  })
  return [{ after: '', isExact: true, candidates: firsts }, ...subcommands, ...flags]
}

/** Builds the arms of a shell `case` over the typed words. */
const armsOf = (
  commands: readonly Command[],
  setFound: (candidates: readonly Candidate[]) => string,
): string =>
  stepsOf(commands)
    .map(
      ({ after, isExact, candidates }) =>
        `    '${after}'${isExact ? '' : `|'${after} '*`}) ${setFound(candidates)} ;;`,
    )
    .join('\n')

const bash = (commands: readonly Command[]): string => `_content_orchestrator() {
  local found
  case "\${COMP_WORDS[*]:1:COMP_CWORD-1}" in
${armsOf(commands, (candidates) => `found="${candidates.map(([word]) => word).join(' ')}"`)}
  esac
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _content_orchestrator ${programs.join(' ')}`

const described = ([word, description]: Candidate): string =>
  quoted(`${word}:${description.replaceAll(':', String.raw`\:`)}`)

const zsh = (commands: readonly Command[]): string => `_content_orchestrator() {
  local -a found
  case "\${words[2,CURRENT-1]}" in
${armsOf(commands, (candidates) => `found=(${candidates.map(described).join(' ')})`)}
  esac
  _describe 'word' found || _files
}
compdef _content_orchestrator ${programs.join(' ')}`

const fish = (commands: readonly Command[]): string =>
  programs
    .flatMap((program) =>
      stepsOf(commands).flatMap(({ after, isExact, candidates }) => {
        const seen = after
          .split(' ')
          .filter(Boolean)
          .map((word) => `__fish_seen_subcommand_from ${word}`)
        const unseen = isExact
          ? [`not __fish_seen_subcommand_from ${candidates.map(([word]) => word).join(' ')}`]
          : []
        const condition = [...seen, ...unseen].join('; and ')
        return candidates.map(([word, description]) => {
          const value = commands.find(({ name }) => name === after)?.flags[word.slice(2)]?.value
          const what = word.startsWith('--')
            ? `-l ${word.slice(2)}${value === undefined ? '' : ' -r'}`
            : `-f -a ${word}`
          return `complete -c ${program} -n '${condition}' ${what} -d ${quoted(description, String.raw`\'`)}`
        })
      }),
    )
    .join('\n')

const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = { bash, zsh, fish }

/** Creates the command that prints the completion script of a shell. */
export const completionOf = (commands: () => Promise<readonly Command[]>) =>
  defineCommand({
    name: 'completion',
    summary: 'Prints a script that completes commands and flags in bash, zsh or fish, but not after npx.',
    operand: 'SHELL',
    flags: {},
    async run(_, io, operand = '') {
      const script = Object.hasOwn(shells, operand) ? shells[operand] : undefined
      if (!script)
        throw new UsageError(`unknown shell '${operand}'; expected one of ${Object.keys(shells).join(', ')}`)
      io.print(script(await commands()))
    },
  })
