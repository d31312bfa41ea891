"""Checks a feed from standard input by the rules of RSS 2.0, as validators do. Prints JSON: what is wrong, and the items."""
import email.utils
import json
import sys
import urllib.parse
import xml.etree.ElementTree as tree

ATOM = "{http://www.w3.org/2005/Atom}"
EVENT = "{http://purl.org/rss/1.0/modules/event/}"
root = tree.fromstring(sys.stdin.buffer.read())
wrong = []


def check(condition, what):
    if not condition:
        wrong.append(what)


def absolute(url):
    parts = urllib.parse.urlsplit(url or "")
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def is_date(text):
    try:
        return email.utils.parsedate_to_datetime(text).tzinfo is not None
    except (TypeError, ValueError):
        return False


check(root.tag == "rss" and root.get("version") == "2.0", "rss 2.0")
channels = root.findall("channel")
check(len(channels) == 1, "one channel")
channel = channels[0]
for name in ("title", "link", "description"):
    check(len(channel.findall(name)) == 1 and channel.findtext(name), "channel " + name)
check(absolute(channel.findtext("link")), "link of the channel")
own = channel.find(ATOM + "link")
check(own is not None and own.get("rel") == "self" and absolute(own.get("href")), "atom:link")
check(is_date(channel.findtext("pubDate")), "pubDate of the channel")
items = channel.findall("item")
guids = [item.findtext("guid") for item in items]
check(all(guids) and len(set(guids)) == len(guids), "guids")
for item in items:
    names = [child.tag for child in item if child.tag != "category"]
    check(len(set(names)) == len(names), "an element twice")
    check(item.findtext("title") or item.findtext("description"), "title or description")
    check(absolute(item.findtext("link")), "link")
    check(item.find("guid").get("isPermaLink") == "false", "isPermaLink")
    check(is_date(item.findtext("pubDate")), "pubDate")
    check(item.findtext(EVENT + "startdate"), "ev:startdate")
dates = [email.utils.parsedate_to_datetime(item.findtext("pubDate")) for item in items]
check(dates == sorted(dates, reverse=True), "newest first")
print(json.dumps({"wrong": wrong, "titles": [item.findtext("title") for item in items]}))
