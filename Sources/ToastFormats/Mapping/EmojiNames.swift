/// The names of emoji that ntfy's tags, Slack and Discord share: the most common of ntfy's list (docs.ntfy.sh/emojis).
enum EmojiNames {
    /// The length of the longest name, in ASCII characters.
    static let longest = Self.signs.keys.map(\.utf8.count).max() ?? 0

    static let signs: [String: String] = [
        "+1": "👍️", "-1": "👎️", "100": "💯", "alarm_clock": "⏰", "ambulance": "🚑️", "anger": "💢",
        "ant": "🐜", "arrow_down": "⬇️", "arrow_right": "➡️", "arrow_up": "⬆️", "baby": "👶",
        "bangbang": "‼️", "bar_chart": "📊", "battery": "🔋", "bell": "🔔", "bike": "🚲", "bomb": "💣",
        "book": "📖", "boom": "💥", "bug": "🐛", "bulb": "💡", "calendar": "📆", "camera": "📷", "car": "🚗",
        "cd": "💿", "chart_with_downwards_trend": "📉", "chart_with_upwards_trend": "📈",
        "checkered_flag": "🏁", "clapper": "🎬", "clock": "🕐", "cloud": "☁️", "coffee": "☕",
        "computer": "💻", "construction": "🚧", "dart": "🎯", "dog": "🐶", "door": "🚪", "droplet": "💧",
        "email": "📧", "envelope": "✉️", "exclamation": "❗", "eyes": "👀", "facepalm": "🤦", "fire": "🔥",
        "floppy_disk": "💾", "gear": "⚙️", "gift": "🎁", "globe_with_meridians": "🌐", "green_circle": "🟢",
        "grey_question": "❔", "hammer": "🔨", "heart": "❤️", "heavy_check_mark": "✔️",
        "heavy_dollar_sign": "💲", "hourglass": "⌛", "hourglass_flowing_sand": "⏳", "house": "🏠",
        "inbox_tray": "📥", "information_source": "ℹ️", "key": "🔑", "label": "🏷️",
        "large_green_circle": "🟢", "large_orange_circle": "🟠", "large_yellow_circle": "🟡", "link": "🔗",
        "lock": "🔒", "loudspeaker": "📢", "mag": "🔍", "mailbox": "📫", "memo": "📝", "money_with_wings": "💸",
        "moneybag": "💰", "movie_camera": "🎥", "no_entry": "⛔", "no_entry_sign": "🚫", "ok": "🆗",
        "ok_hand": "👌", "orange_circle": "🟠", "outbox_tray": "📤", "package": "📦", "partying_face": "🥳",
        "phone": "☎️", "pill": "💊", "point_right": "👉", "poop": "💩", "pray": "🙏", "pushpin": "📌",
        "question": "❓", "rage": "😡", "recycle": "♻️", "red_circle": "🔴", "robot": "🤖", "rocket": "🚀",
        "rotating_light": "🚨", "satellite": "📡", "shield": "🛡️", "skull": "💀",
        "slightly_smiling_face": "🙂", "smile": "😄", "snail": "🐌", "snowflake": "❄️", "sos": "🆘",
        "sparkles": "✨", "speech_balloon": "💬", "star": "⭐", "stop_sign": "🛑", "sunny": "☀️",
        "sweat_smile": "😅", "tada": "🎉", "thermometer": "🌡️", "thumbsdown": "👎️", "thumbsup": "👍️",
        "ticket": "🎫", "traffic_light": "🚥", "triangular_flag_on_post": "🚩", "trophy": "🏆", "truck": "🚚",
        "tv": "📺", "unlock": "🔓", "up": "🆙", "warning": "⚠️", "wastebasket": "🗑️", "watch": "⌚",
        "wave": "👋", "white_check_mark": "✅", "wrench": "🔧", "x": "❌", "yellow_circle": "🟡", "zap": "⚡",
        "zzz": "💤",
    ]
}
