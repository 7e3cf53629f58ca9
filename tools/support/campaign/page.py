"""The table of docs/reliability.md: counts add up over campaigns."""
import re

TABLE = re.compile(r"(<!-- counts -->\n)(.*?)(<!-- end of counts -->\n)", re.DOTALL)
HEAD = "| part | what | tried so far | wrong in the last campaign | last campaign | remark |\n| --- | --- | --- | --- | --- | --- |\n"


def read(text):
    rows = {}
    for line in TABLE.search(text).group(2).splitlines()[2:]:
        part, what, tried, wrong, last, note = [cell.strip() for cell in line.strip("|").split(" | ")]
        rows[part, what] = (int(tried.replace(",", "")), int(wrong.split(" of ")[0].replace(",", "")), wrong, last, note)
    return rows


def add(file, counts, date, revision):
    text = file.read_text()
    rows = read(text)
    for key, (count, failed, note) in counts.items():
        if count == 0:
            continue
        before = rows[key][0] if key in rows else 0
        rows[key] = (before + count, failed, f"{failed:,} of {count:,}", f"{date}, {revision}", note)
    lines = "".join(f"| {part} | {what} | {tried:,} | {wrong} | {last} | {note or '–'} |\n"
                    for (part, what), (tried, _, wrong, last, note) in rows.items())
    file.write_text(TABLE.sub(lambda match: match.group(1) + HEAD + lines + match.group(3), text))
