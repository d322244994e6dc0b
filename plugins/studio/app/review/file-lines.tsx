import { changedFiles, type ChangedFile, countText, isCommit, tickedFiles } from '../stores/changed-files.ts'

/** What a publish writes into the files of a website, and on demand its lines. */
export function FileLines() {
  const files = tickedFiles.value
  const refused = changedFiles.value?.refused
  if (refused !== undefined) return <p class="card failure">{refused}</p>
  if (files.length === 0) return null
  return (
    <details class="card file-lines">
      <summary>{countText(files)}</summary>
      {files.map((file) => (
        <Lines key={file.path} file={file} />
      ))}
    </details>
  )
}

const Lines = ({ file: { path, from, hunks, note } }: { readonly file: ChangedFile }) => (
  <section aria-label={path}>
    <h3>
      <bdi>{path}</bdi>
      {from !== undefined && (
        <small>
          from <bdi>{from}</bdi>
        </small>
      )}
    </h3>
    {hunks.map(({ oldStart, newStart, lines }) => (
      <pre key={`${oldStart} ${newStart}`} dir="auto">
        {lines.map((line, at) => (
          <Line key={at} line={line} />
        ))}
      </pre>
    ))}
    {note !== undefined && <p class="soft">{note}</p>}
  </section>
)

function Line({ line }: { readonly line: string }) {
  const text = `${line.slice(1)}\n`
  if (line.startsWith('-')) return <del>{text}</del>
  if (line.startsWith('+')) return <ins>{text}</ins>
  return <span>{text}</span>
}

/** Whether the publish is to be a commit of the website's repository. */
export function CommitBox() {
  const branch = changedFiles.value?.branch
  if (branch === undefined) return null
  return (
    <label class="commit" title="Only the lines of this publish. Nothing is pushed.">
      <input
        type="checkbox"
        checked={isCommit.value}
        onChange={({ currentTarget }) => void (isCommit.value = currentTarget.checked)}
      />
      <span>
        Commit to <bdi>{branch}</bdi>
      </span>
    </label>
  )
}
