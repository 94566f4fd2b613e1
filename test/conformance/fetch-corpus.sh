#!/usr/bin/env bash
# Fetches the test PDFs of Debian source packages into .cache/corpus: 1,403 files that others broke readers with.
set -euo pipefail
cd "$(dirname "$0")/../.."

release=bookworm
packages=(qpdf pdf.js libpdfbox2-java pikepdf pypdf pdfminer)
corpus=.cache/corpus
apt=$PWD/.cache/conformance/apt
mkdir -p "$corpus" "$apt/state/lists/partial" "$apt/archives/partial"

# An apt of its own, so that the machine's sources stay as they are.
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $release main" > "$apt/sources.list"
options=(-o "Dir::State=$apt/state" -o "Dir::Cache=$apt" -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null)
updated=false

for package in "${packages[@]}"; do
  [ -e "$corpus/$package.complete" ] && continue
  if [ "$updated" = false ]; then apt-get "${options[@]}" -qq update; updated=true; fi
  url=$(apt-get "${options[@]}" source --print-uris "$package" 2> /dev/null | grep -o "http[^']*\.orig\.tar\.[a-z0-9]*'" | head -n 1 | tr -d "'")
  [ -n "$url" ] || { echo "no source of $package on the mirror" >&2; exit 1; }
  archive=$(mktemp)
  curl --fail --silent --show-error --location --retry 3 --output "$archive" "$url"
  rm -rf "${corpus:?}/$package"
  mkdir -p "$corpus/$package"
  case $url in *.xz) unpack=xz ;; *) unpack=gzip ;; esac
  tar --extract --file "$archive" --use-compress-program "$unpack" --directory "$corpus/$package" --wildcards '*.pdf'
  rm "$archive"
  touch "$corpus/$package.complete"
done
