/** Files that have what is easily lost, by a name that says it. */
export const fileSamples: Readonly<Record<string, string>> = {
  'windows.md':
    '---\r\ntitle: A\r\n---\r\n# A\r\n\r\nOne\r\ntwo  \r\n\r\n- a\r\n- b\r\n\r\n```js\r\nx\r\n```\r\n',
  'mark.md': '\uFEFF---\ntitle: A\n---\n\n# A\n\ntext\n',
  'tabs.md': '#\tTabs\n\n-\ta\n\n\t\tcode in a list\n\n\tcode\n\tmore\n\n>\tquote\n\n1.\tone\n',
  'no last line end.md': 'One.\n\nTwo.',
  'mixed line ends.md': 'One\r\ntwo\n\nthree\r\n\r\n- a\n- b\r\n',
  'old line ends.md': 'One\r\rtwo\r',
  'setext.md': 'One\ntwo\n===\n\nThree\n---\ntext\n***\n',
  'lazy.md': '> quote\nlazy\n\n- item\nlazy\n  - inner\nlazy again\n\ntext\n',
  'nested lists.md':
    '1. one\n   - a\n     1. deep\n\n        with a paragraph\n   - b\n2. two\n\n\n* other\n\n+ third\n',
  'references.md':
    '[one][a] and [b] and ![c][a]\n\n[a]: http://a.example "A"\n[b]: <b c>\n  (title)\n\n[d]: e\n',
  'footnotes.md': 'Text[^1] and[^note].\n\n[^1]: First.\n[^note]: Second\n    with more.\n\nEnd.\n',
  'comments.md':
    '<!-- a -->\n# H\n<!-- b\n\nc -->\n\ntext <!-- d --> more\n\n<details>\n<summary>S</summary>\n\nin\n\n</details>\n',
  'right to left.md': '# שלום עולם\n\nمرحبا **بالعالم** `code`\n\n- אחת\n- שתיים\n',
  'emoji.md': '# 👋🏽 Hello 👨‍👩‍👧\n\n😀 text 𝒜 :smile:\n\n| 🙂 | b |\n|:--|--:|\n| a\\|b | `c|d` |\n| short |\n',
  'containers.md':
    '::: tip\na\n\n::: warning Deep\nb\n:::\n:::\n\ntext\n:::note[Label]{a=b}\nc\n::::\n\n:::\n\n::: open\nd\n',
  'two rulers.md': '---\n\ntext\n\n---\n',
  'empty front matter.md': '---\n---\ntext\n',
  'toml front matter.md': '+++\ntitle = "A"\n[extra]\nb = 1\n+++\n\ntext\n',
  'blank.md': '\n\n  \n',
  'empty.md': '',
  'nul.md': 'a\0b\n\n\f\n\n\u2028text\u00a0\n',
  'page.mdx':
    'import A from "a"\nexport const b = 1\n\n# H {b}\n\n<A c="d" e={f}>\n\n  in **A**\n\n</A>\n\n<B/>\n\n{/* no */}\n\ntext <C>x</C>\n',
  'duplicates.yml': 'a: 1\nb: 2\na: 3\n',
  'anchors.yml':
    'base: &base\n  a: 1\n  b: [x]\nuse:\n  <<: *base\n  c: d\nlist:\n  - &i one\n  - *i\n  - two\n',
  'flow.yml': 'a: {b: [1, {c: "d"},   [e]], f: g} # end\nh: [\n  i, # one\n  j,\n]\n',
  'blocks.yml':
    'a: |\n  one\n   two\n\nb: >+\n  c\n  d\n\ne: |2-\n    f\ng: "h\n  i"\nj: k\n  l\n? m\n: n\n"o": \'p\'\'q\'\n',
  'sequences.yml': '- - a\n  - b\n- c: d\n  e:\n  - f\n  # about g\n  - g\n-\n- h # end\n',
  'windows.yml': '\uFEFFa: b\r\nc:\r\n  - d\r\n  - e\r\n',
  'nothing.yml': '# only a comment\n',
  'types.yml': 'a: 0x1F\nb: 1e3\nc: .inf\nd: ~\ne: yes\nf: 2026-01-01\ng: !!binary aGk=\nh: 0o7\ni: +1\n',
  'settings.jsonc':
    '// top\n{\n\t"a": 1, // one\n\t/* two */ "b": [true, null, /* in */ 1.50],\n\t"c": {},\n\t"d": [],\n}\n',
  'one line.json': '{"a":"\\u00e9\\/","b":[{"c":1},{"c":2}],"d":{"e":"f"}}',
  'list.json': '[\n  "a",\n  "b"\n]',
  'deep.json': '{"a":{"b":{"c":{"d":[[[1]]]}}},"__proto__":{"x":1},"":2}',
  'tables.toml':
    'a = "b" # c\nd.e = 1\n"f g" = \'h\'\ni = """\nj\nk"""\nl = [ 1, 2, # two\n 3 ]\n\n[m.n]\no = 2026-01-01T00:00:00Z\np = { q = 1.0 }\n\n[[r]]\ns = 1\n[[r.t]]\nu = 2\n[[r]]\ns = 3\n\n[m]\nv = inf\n',
  'part.html':
    '<tr>\r\n<td title=a alt="&lt;b&gt;">One &amp; two<br>three</td>\r\n<script>no</script><textarea>x</textarea>',
  'page.njk':
    '---\nlayout: a\n---\n{% if a < b %}<p class="{{ c }}">Hello {{ d }}, you</p>{% endif %}{# no #}<img alt="x" src="/y">',
  'page.tsx': 'export const A = () => <p title="T">One {b} two&nbsp;<a href="/c">three</a>{"no"}</p>\n',
}
